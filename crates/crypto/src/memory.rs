//! Where arguments and answers lie, and the allocator of the functions that need one.
use core::alloc::{GlobalAlloc, Layout};
use core::arch::wasm32::{memory_grow, memory_size};
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

pub const OUTPUT_SIZE: usize = 1024;
const PAGE: usize = 65_536;

extern "C" {
    static __heap_base: u8;
}

#[repr(align(16))]
struct Output(UnsafeCell<[u8; OUTPUT_SIZE]>);
// The module has one thread.
unsafe impl Sync for Output {}
static OUTPUT: Output = Output(UnsafeCell::new([0; OUTPUT_SIZE]));

fn input_base() -> usize {
    (unsafe { &__heap_base as *const u8 as usize } + 15) & !15
}

/// The first `length` argument bytes. They stay in place for the whole call, hence `'static` (merlin wants labels so).
pub fn input(length: usize) -> &'static [u8] {
    unsafe { core::slice::from_raw_parts(input_base() as *const u8, length) }
}

/// Copies an answer out.
pub fn put(bytes: &[u8]) {
    output(bytes.len()).copy_from_slice(bytes);
}

/// The first `length` answer bytes; asked for at most once in a call.
#[allow(clippy::mut_from_ref)]
pub fn output(length: usize) -> &'static mut [u8] {
    assert!(length <= OUTPUT_SIZE);
    unsafe { core::slice::from_raw_parts_mut(OUTPUT.0.get() as *mut u8, length) }
}

#[no_mangle]
pub extern "C" fn input_ptr() -> usize {
    input_base()
}

#[no_mangle]
pub extern "C" fn output_ptr() -> usize {
    OUTPUT.0.get() as usize
}

/// Cursor over argument bytes. The caller is our own glue: a short input is a defect and traps.
pub struct Arguments(&'static [u8]);

impl Arguments {
    pub fn new(length: usize) -> Self {
        Self(input(length))
    }
    pub fn rest(&mut self) -> &'static [u8] {
        self.take(self.0.len())
    }
    pub fn take(&mut self, length: usize) -> &'static [u8] {
        let (head, rest) = self.0.split_at(length);
        self.0 = rest;
        head
    }
    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N));
        out
    }
    pub fn number(&mut self) -> usize {
        u32::from_le_bytes(self.array()) as usize
    }
    /// A u32 length and that many bytes.
    pub fn bytes(&mut self) -> &'static [u8] {
        let length = self.number();
        self.take(length)
    }
}

/// Hands out memory upwards and frees nothing; `reset` starts anew behind the input.
struct Bump(AtomicUsize);

#[global_allocator]
static BUMP: Bump = Bump(AtomicUsize::new(0));

/// Lets the current call allocate behind its `length` argument bytes.
pub fn reset_heap(length: usize) {
    BUMP.0.store(input_base() + length, Relaxed);
}

unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let current = self.0.load(Relaxed);
        if current == 0 {
            return core::ptr::null_mut();
        }
        let start = (current + layout.align() - 1) & !(layout.align() - 1);
        let end = start + layout.size();
        let have = memory_size(0) * PAGE;
        if end > have && memory_grow(0, (end - have).div_ceil(PAGE)) == usize::MAX {
            return core::ptr::null_mut();
        }
        self.0.store(end, Relaxed);
        start as *mut u8
    }
    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}
