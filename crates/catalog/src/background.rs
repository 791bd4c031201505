//! Background work at the lowest scheduling priority.

#[cfg(feature = "games")]
use std::sync::OnceLock;

/// Stack size of background threads, equal to that of bot threads.
#[cfg(feature = "games")]
const STACK: usize = 16 << 20;

/// Runs work on the shared background thread (`nice 19`). Its rayon tasks stay on that thread.
#[cfg(feature = "games")]
pub fn run_in_background<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    static POOL: OnceLock<Option<rayon::ThreadPool>> = OnceLock::new();
    let pool =
        POOL.get_or_init(|| low_priority_pool(1, "idle").inspect_err(|error| tracing::warn!(%error, "idle time")).ok());
    match pool {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// Without games there is no long work.
#[cfg(not(feature = "games"))]
pub fn run_in_background<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    work()
}

/// A pool of low-priority threads (0: one per core).
#[cfg(feature = "games")]
pub(crate) fn low_priority_pool(
    threads: usize,
    name: &'static str,
) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(move |_| name.to_owned())
        .stack_size(STACK)
        .start_handler(|_| {
            // SAFETY: changes only the priority of the calling thread; a failure is harmless.
            unsafe { libc::nice(19) };
        })
        .build()
}
