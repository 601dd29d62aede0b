//! Signatures, VRF and hashes of a Polkadot SDK node, and what it does to runtime code, as one small WebAssembly module.
//!
//! ABI. The caller writes all arguments from `input_ptr()` on (growing the memory itself when they need more
//! room), calls one function with their lengths and reads the answer at `output_ptr()`, where `OUTPUT_SIZE` bytes
//! are free. Functions return 1 or 0 (valid or not, done or refused) unless they say otherwise. Nothing is kept
//! between calls. Only the VRF, the patch and zstd allocate: behind their input, forgotten at the next such call.
#![no_std]

extern crate alloc;

mod base;
mod checks;
mod derive;
mod ed25519;
mod fse;
mod hash;
mod huffman;
mod memory;
mod module;
mod opcodes;
mod scan;
mod secp256k1;
mod sr25519;
mod vrf;
mod zstd;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
