//! Signatures, VRF and hashes of a Polkadot SDK node, and what it does to runtime code, as one small WebAssembly module.
//!
//! ABI. The caller writes all arguments from `input_ptr()` on (growing the memory itself when they need more
//! room), calls one function with their lengths and reads the answer at `output_ptr()`, where `OUTPUT_SIZE` bytes
//! are free. Functions return 1 or 0 (valid or not, done or refused) unless they say otherwise. Nothing is kept
//! between calls. Only the VRF, the patch and zstd allocate: behind their input, forgotten at the next such call.
#![no_std]
#![cfg_attr(feature = "batch", allow(dead_code))]

extern crate alloc;

mod memory;

#[cfg(feature = "batch")]
mod batch;

macro_rules! in_core {
    ($($name:ident)*) => { $(#[cfg(not(feature = "batch"))] mod $name;)* };
}
in_core! { base checks derive ed25519 frames fse hash huffman leb module
    opcodes scan secp256k1 sections sr25519 vrf zstd }

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
