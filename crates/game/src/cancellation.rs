//! Cancellation that deep code can observe: the control of the service call that this thread works for.
//!
//! Solvers, makers and rankings are called from many places and far below a service. Instead of a parameter through
//! all of them, [`crate::Service::call`] sets the control of its call for the thread, and loops ask [`cancelled`].
//! Work that continues on other threads takes [`current_control`] with it.

use crate::Control;
use std::cell::RefCell;

thread_local! {
    static CURRENT: RefCell<Option<Control>> = const { RefCell::new(None) };
}

/// Whether the call that this thread works for was cancelled; outside a call it never is.
pub fn cancelled() -> bool {
    CURRENT.with_borrow(|current| current.as_ref().is_some_and(Control::stopped))
}

/// The control of the call that this thread works for, or one that nobody stops.
pub fn current_control() -> Control {
    CURRENT.with_borrow(|current| current.clone().unwrap_or_default())
}

/// Runs `work` for a call with this control.
pub(crate) fn within<T>(control: Control, work: impl FnOnce() -> T) -> T {
    let _restore = Restore(CURRENT.replace(Some(control)));
    work()
}

/// Puts back the control of the call outside, also when the work panics.
struct Restore(Option<Control>);

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_observed_inside_and_not_outside() {
        let (outer, inner) = (Control::new(), Control::new());
        outer.stop();
        assert!(!cancelled());
        within(outer, || {
            assert!(cancelled() && current_control().stopped());
            within(inner, || assert!(!cancelled(), "a call within a call has its own control"));
            assert!(cancelled());
        });
        assert!(!cancelled() && !current_control().stopped());
    }
}
