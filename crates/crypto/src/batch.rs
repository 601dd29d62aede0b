//! Many signatures at once: whether all are valid. Each equation of a single verification is weighed with a random
//! number of 128 bits, and their sum is checked: of Ed25519 by the ZIP-215 rules (as in ed25519-zebra's batch), of
//! Schnorr signatures over ristretto255 by those of schnorrkel (`PublicKey::verify`).
use crate::memory::{reset_heap, Arguments};
use alloc::vec::Vec;
use curve25519_dalek::constants::{ED25519_BASEPOINT_POINT, RISTRETTO_BASEPOINT_POINT};
use curve25519_dalek::edwards::{CompressedEdwardsY, EdwardsPoint};
use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::{IsIdentity, VartimeMultiscalarMul};
use schnorrkel::context::{SigningContext, SigningTranscript};
use sha2::{Digest, Sha512};

/// Input: a random seed 32, the number of signatures u32, then of each: signature 64, public key 32, and the
/// message after its length u32. The seed must be new: who knows it can cheat.
#[no_mangle]
pub extern "C" fn ed25519_verify_all(length: usize) -> u32 {
    reset_heap(length);
    are_valid(Arguments::new(length)).unwrap_or(false) as u32
}

/// `None`: one of the points or numbers does not decode.
fn are_valid(mut arguments: Arguments) -> Option<bool> {
    let seed = arguments.array::<32>();
    let count = arguments.number();
    let (mut scalars, mut points) = (Vec::with_capacity(2 * count + 1), Vec::with_capacity(2 * count + 1));
    let mut base = Scalar::ZERO;
    for index in 0..count {
        let (nonce, proof, key) = (arguments.array::<32>(), arguments.array::<32>(), arguments.array::<32>());
        let hash = Sha512::new().chain_update(nonce).chain_update(key).chain_update(arguments.bytes());
        let weight = weigh(&seed, index);
        base -= weight * Option::<Scalar>::from(Scalar::from_canonical_bytes(proof))?;
        scalars.extend([weight, weight * Scalar::from_hash(hash)]);
        points.extend([CompressedEdwardsY(nonce).decompress()?, CompressedEdwardsY(key).decompress()?]);
    }
    scalars.push(base);
    points.push(ED25519_BASEPOINT_POINT);
    let sum = EdwardsPoint::vartime_multiscalar_mul(&scalars, &points);
    Some(sum.mul_by_cofactor().is_identity())
}

/// As `ed25519_verify_all`, of signatures with the marker bit. A point has one encoding and the group prime order, so
/// that the sum is zero if and only if, but for a chance of 2^-128, every single equation holds.
#[no_mangle]
pub extern "C" fn sr25519_verify_all(length: usize) -> u32 {
    reset_heap(length);
    are_valid_schnorr(Arguments::new(length)).unwrap_or(false) as u32
}

/// The high bit of the last byte marks the scheme.
const MARKER: u8 = 128;

fn are_valid_schnorr(mut arguments: Arguments) -> Option<bool> {
    let seed = arguments.array::<32>();
    let count = arguments.number();
    let (mut scalars, mut points) = (Vec::with_capacity(2 * count + 1), Vec::with_capacity(2 * count + 1));
    let mut base = Scalar::ZERO;
    let context = SigningContext::new(b"substrate");
    for index in 0..count {
        let nonce = CompressedRistretto(arguments.array());
        let mut proof = arguments.array::<32>();
        let key = CompressedRistretto(arguments.array());
        if proof[31] & MARKER == 0 {
            return None;
        }
        proof[31] &= !MARKER;
        let mut transcript = context.bytes(arguments.bytes());
        transcript.proto_name(b"Schnorr-sig");
        transcript.commit_point(b"sign:pk", &key);
        transcript.commit_point(b"sign:R", &nonce);
        let challenge: Scalar = transcript.challenge_scalar(b"sign:c");
        let weight = weigh(&seed, index);
        base -= weight * Option::<Scalar>::from(Scalar::from_canonical_bytes(proof))?;
        scalars.extend([weight, weight * challenge]);
        points.extend([nonce.decompress()?, key.decompress()?]);
    }
    scalars.push(base);
    points.push(RISTRETTO_BASEPOINT_POINT);
    Some(RistrettoPoint::vartime_multiscalar_mul(&scalars, &points).is_identity())
}

fn weigh(seed: &[u8; 32], index: usize) -> Scalar {
    let hash = Sha512::new().chain_update(seed).chain_update((index as u32).to_le_bytes()).finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    Scalar::from(u128::from_le_bytes(bytes))
}
