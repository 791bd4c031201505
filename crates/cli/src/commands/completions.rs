//! `parlour completions`

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

#[derive(clap::Args)]
pub struct Args {
    /// The shell to write completions for
    shell: Shell,
}

pub fn run<C: CommandFactory>(args: Args) -> Result<()> {
    let mut command = C::command();
    clap_complete::generate(args.shell, &mut command, "parlour", &mut std::io::stdout());
    Ok(())
}
