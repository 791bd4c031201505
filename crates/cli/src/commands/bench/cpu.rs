//! Processor time of the calling thread and of the whole program.

/// Seconds of processor time that this thread has used.
pub fn thread_seconds() -> f64 {
    seconds(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Seconds of processor time that all threads of this program have used.
pub fn process_seconds() -> f64 {
    seconds(libc::CLOCK_PROCESS_CPUTIME_ID)
}

fn seconds(clock: libc::clockid_t) -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a timespec of our own.
    unsafe { libc::clock_gettime(clock, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
