//! Work that gives way to everybody else.

#[cfg(feature = "games")]
use std::sync::OnceLock;

/// How much stack the work may use, as much as a thinker has.
#[cfg(feature = "games")]
const STACK: usize = 16 << 20;

/// Does some work on a thread, shared by all such work, that runs only when no other wants to; what the work splits up
/// stays there too.
#[cfg(feature = "games")]
pub fn give_way<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    static POOL: OnceLock<Option<rayon::ThreadPool>> = OnceLock::new();
    let pool = POOL.get_or_init(|| yielding(1, "idle").inspect_err(|error| tracing::warn!(%error, "idle time")).ok());
    match pool {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// Built without games: nothing here is ever long.
#[cfg(not(feature = "games"))]
pub fn give_way<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    work()
}

/// Threads (0: as many as there are cores) that run only when no other wants to.
#[cfg(feature = "games")]
pub(crate) fn yielding(threads: usize, name: &'static str) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(move |_| name.to_owned())
        .stack_size(STACK)
        .start_handler(|_| {
            // SAFETY: changes nothing but the priority of the calling thread; that it may fail does no harm.
            unsafe { libc::nice(19) };
        })
        .build()
}
