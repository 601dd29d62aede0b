//! Ed25519: verified by the ZIP-215 rules (HOST.md §6), signed as RFC 8032 has it.
use crate::memory::{put, reset_heap, Arguments};
use alloc::vec::Vec;
use curve25519_dalek::constants::ED25519_BASEPOINT_POINT;
use curve25519_dalek::edwards::{CompressedEdwardsY, EdwardsPoint};
use curve25519_dalek::scalar::{clamp_integer, Scalar};
use curve25519_dalek::traits::{Identity, IsIdentity};
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

/// A point with its factor in a sum.
type Term = (EdwardsPoint, [u8; 32]);

#[inline(never)]
fn point(bytes: &[u8]) -> Option<EdwardsPoint> {
    CompressedEdwardsY::from_slice(bytes).ok()?.decompress()
}

#[inline(never)]
fn add(to: &mut EdwardsPoint, other: &EdwardsPoint) {
    *to += other;
}

/// None if it is not below the order of the group.
#[inline(never)]
fn scalar(bytes: &[u8]) -> Option<Scalar> {
    let mut out = [0; 32];
    out.copy_from_slice(bytes);
    Option::from(Scalar::from_canonical_bytes(out))
}

/// Bits that are looked at together, and how many of them a factor has at a place.
const WINDOW: usize = 6;
fn digit(factor: &[u8; 32], window: usize) -> usize {
    let at = window * WINDOW;
    let high = *factor.get(at / 8 + 1).unwrap_or(&0) as usize;
    ((factor[at / 8] as usize | high << 8) >> (at % 8)) & ((1 << WINDOW) - 1)
}

/// The bucket method of Pippenger. Not in constant time: all that goes in is public. The one of the curve library is six times
/// as large, and little faster.
fn sum(terms: &[Term]) -> EdwardsPoint {
    let mut total = EdwardsPoint::identity();
    for window in (0..256_usize.div_ceil(WINDOW)).rev() {
        for _ in 0..WINDOW {
            let same = total;
            add(&mut total, &same);
        }
        let mut buckets = [EdwardsPoint::identity(); 1 << WINDOW];
        for (point, factor) in terms {
            let digit = digit(factor, window);
            if digit > 0 {
                add(&mut buckets[digit], point);
            }
        }
        let mut running = EdwardsPoint::identity();
        for bucket in buckets[1..].iter().rev() {
            add(&mut running, bucket);
            add(&mut total, &running);
        }
    }
    total
}

/// The equations of all signatures, each times a factor; None if a point or a scalar is none.
///
/// The factors have 128 bits and come from a hash of the whole batch, so that nobody can choose signatures whose errors
/// cancel out. As in ed25519-zebra, the sum is multiplied by the cofactor: a batch and its single signatures agree (ZIP-215).
fn combine(batch: &'static [u8], count: usize, message_length: usize) -> Option<Vec<Term>> {
    let seed = Sha512::digest(batch);
    let mut terms = Vec::with_capacity(2 * count + 1);
    let mut base = Scalar::ZERO;
    for (index, one) in batch.chunks_exact(96 + message_length).enumerate() {
        let s = scalar(&one[32..64])?;
        let hash = Sha512::new().chain_update(seed).chain_update((index as u32).to_le_bytes()).finalize();
        let mut low = [0; 32];
        low[..16].copy_from_slice(&hash[..16]);
        let factor = Scalar::from_bytes_mod_order(low);
        let challenge = Scalar::from_hash(Sha512::new().chain_update(&one[..32]).chain_update(&one[64..]));
        terms.push((point(&one[..32])?, low));
        terms.push((point(&one[64..96])?, (factor * challenge).to_bytes()));
        base -= factor * s;
    }
    terms.push((ED25519_BASEPOINT_POINT, base.to_bytes()));
    Some(terms)
}

/// Whether all signatures are valid. Input: for each a signature 64, public key 32, message.
#[no_mangle]
pub extern "C" fn ed25519_verify_batch(count: usize, message_length: usize) -> u32 {
    let length = count * (96 + message_length);
    reset_heap(length);
    let batch = Arguments::new(length).rest();
    combine(batch, count, message_length).is_some_and(|terms| sum(&terms).mul_by_cofactor().is_identity()) as u32
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
