//! The hash functions of the host interface (HOST.md §1.7); each takes the whole input.
use crate::memory::{input, output, put};
use blake2::digest::{Update, VariableOutput};
use blake2::Blake2bVar;
use sha2::{Digest, Sha256};
use sha3::{Keccak256, Keccak512};
use xxhash_rust::xxh64::xxh64;

/// `size` is the digest length in bytes, 1 to 64.
#[no_mangle]
pub extern "C" fn blake2b(length: usize, size: usize) {
    let mut state = match Blake2bVar::new(size) {
        Ok(state) => state,
        Err(_) => core::arch::wasm32::unreachable(),
    };
    state.update(input(length));
    if state.finalize_variable(output(size)).is_err() {
        core::arch::wasm32::unreachable()
    }
}

/// `lanes` XXH64 digests with the seeds 0, 1, …, each little-endian.
#[no_mangle]
pub extern "C" fn twox(length: usize, lanes: usize) {
    let data = input(length);
    for (seed, lane) in output(lanes * 8).chunks_exact_mut(8).enumerate() {
        lane.copy_from_slice(&xxh64(data, seed as u64).to_le_bytes());
    }
}

#[no_mangle]
pub extern "C" fn keccak256(length: usize) {
    put(&Keccak256::digest(input(length)));
}

#[no_mangle]
pub extern "C" fn keccak512(length: usize) {
    put(&Keccak512::digest(input(length)));
}

#[no_mangle]
pub extern "C" fn sha2_256(length: usize) {
    put(&Sha256::digest(input(length)));
}
