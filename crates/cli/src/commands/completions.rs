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
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "parlour", &mut script);
    // `print!` ends quietly on a closed pipe; the generator panics.
    print!("{}", String::from_utf8(script)?);
    Ok(())
}
