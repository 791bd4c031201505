//! Memory for the arcs of a search, in huge pages where the system has them. A search accesses many megabytes at
//! random; with small pages most of its time would be TLB misses.

use bytemuck::Pod;
use memmap2::MmapMut;
use std::alloc::{Layout, handle_alloc_error};
use std::marker::PhantomData;

/// An array that is filled once and then only read.
pub(crate) struct Arcs<A> {
    memory: MmapMut,
    len: usize,
    kind: PhantomData<A>,
}

impl<A: Pod> Arcs<A> {
    /// The arcs of an iterator that knows its length.
    pub(crate) fn new(from: impl ExactSizeIterator<Item = A>) -> Self {
        let len = from.len();
        let layout = Layout::array::<A>(len.max(1)).expect("arcs fit in memory");
        let mut memory = MmapMut::map_anon(layout.size()).unwrap_or_else(|_| handle_alloc_error(layout));
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        let to: &mut [A] = bytemuck::cast_slice_mut(&mut memory[..len * size_of::<A>()]);
        to.iter_mut().zip(from).for_each(|(to, arc)| *to = arc);
        Self { memory, len, kind: PhantomData }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(crate) fn as_ptr(&self) -> *const A {
        self.memory.as_ptr().cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_are_read_back() {
        let arcs = Arcs::new((0..1000u32).map(|i| i * 3));
        assert_eq!(arcs.len(), 1000);
        // SAFETY: the array has a thousand numbers.
        assert_eq!(unsafe { *arcs.as_ptr().add(999) }, 2997);
        assert_eq!(Arcs::<u32>::new(std::iter::empty()).len(), 0);
    }
}
