//! Ed25519: verified by the ZIP-215 rules (HOST.md §6), signed as RFC 8032 has it.
use crate::memory::{put, Arguments};
use curve25519_dalek::constants::ED25519_BASEPOINT_POINT;
use curve25519_dalek::scalar::{clamp_integer, Scalar};
use ed25519_zebra::{Signature, VerificationKey};
use sha2::{Digest, Sha512};
use zeroize::Zeroizing;

/// Input: signature 64, public key 32, message.
#[no_mangle]
pub extern "C" fn ed25519_verify(message_length: usize) -> u32 {
    let mut arguments = Arguments::new(96 + message_length);
    let signature = Signature::from(arguments.array::<64>());
    let Ok(key) = VerificationKey::try_from(arguments.array::<32>()) else {
        return 0;
    };
    key.verify(&signature, arguments.take(message_length)).is_ok() as u32
}

/// The bytes of a multiple of the base point. Without a table: nothing here signs often with Ed25519.
#[inline(never)]
fn times_base(scalar: &Scalar) -> [u8; 32] {
    (ED25519_BASEPOINT_POINT * scalar).compress().to_bytes()
}

/// The scalar of a seed, and what its nonces come from.
#[inline(never)]
fn expand(seed: &[u8; 32]) -> (Zeroizing<Scalar>, Zeroizing<[u8; 32]>) {
    let hash = Zeroizing::new(<[u8; 64]>::from(Sha512::digest(seed)));
    let (mut key, mut prefix) = (Zeroizing::new([0; 32]), Zeroizing::new([0; 32]));
    key.copy_from_slice(&hash[..32]);
    prefix.copy_from_slice(&hash[32..]);
    (Zeroizing::new(Scalar::from_bytes_mod_order(clamp_integer(*key))), prefix)
}

/// Input: seed 32, message. Output: signature 64.
#[no_mangle]
pub extern "C" fn ed25519_sign(message_length: usize) {
    let mut arguments = Arguments::new(32 + message_length);
    let (key, prefix) = expand(&arguments.array());
    let message = arguments.take(message_length);
    let nonce = Zeroizing::new(Scalar::from_hash(Sha512::new().chain_update(*prefix).chain_update(message)));
    let point = times_base(&nonce);
    let public = times_base(&key);
    let challenge = Sha512::new().chain_update(point).chain_update(public).chain_update(message);
    let mut out = [0; 64];
    out[..32].copy_from_slice(&point);
    out[32..].copy_from_slice((*nonce + Scalar::from_hash(challenge) * *key).as_bytes());
    put(&out);
}

/// Input: seed 32. Output: public key 32.
#[no_mangle]
pub extern "C" fn ed25519_public() {
    put(&times_base(&expand(&Arguments::new(32).array()).0));
}
