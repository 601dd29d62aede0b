//! ECDSA over secp256k1 with public key recovery.
//!
//! Recovery is written out over the curve arithmetic because the ready-made one refuses a high `s`, which the
//! host function accepts (HOST.md §1.6).
use crate::memory::{put, Arguments};
use k256::ecdsa::SigningKey;
use k256::elliptic_curve::bigint::{ArrayEncoding, CheckedAdd, U256};
use k256::elliptic_curve::ops::{Invert, LinearCombination, Reduce};
use k256::elliptic_curve::point::DecompressPoint;
use k256::elliptic_curve::sec1::ToEncodedPoint;
use k256::elliptic_curve::subtle::Choice;
use k256::elliptic_curve::{Curve, PrimeField};
use k256::{AffinePoint, FieldBytes, ProjectivePoint, Scalar, Secp256k1};

const BAD_RS: u32 = 0;
const BAD_V: u32 = 1;
const BAD_SIGNATURE: u32 = 2;

fn scalar(bytes: &FieldBytes, strict: bool) -> Option<Scalar> {
    if strict {
        Scalar::from_repr(*bytes).into()
    } else {
        Some(<Scalar as Reduce<U256>>::reduce_bytes(bytes))
    }
}

/// The point with this x (plus the group order when `reduced`), if there is one.
fn lift(r: &FieldBytes, odd: bool, reduced: bool) -> Option<AffinePoint> {
    let mut x = *r;
    if reduced {
        let sum: Option<U256> = U256::from_be_byte_array(*r).checked_add(&Secp256k1::ORDER).into();
        x = sum?.to_be_byte_array();
    }
    AffinePoint::decompress(&x, Choice::from(odd as u8)).into()
}

type Signature = ([u8; 32], [u8; 32], u8);

fn recover((r, s, v): Signature, digest: [u8; 32], strict: bool) -> Result<AffinePoint, u32> {
    let v = if v > 26 { v - 27 } else { v };
    if v > 3 {
        return Err(BAD_V);
    }
    let r = scalar(&r.into(), strict).ok_or(BAD_RS)?;
    let s = scalar(&s.into(), strict).ok_or(BAD_RS)?;
    if bool::from(r.is_zero() | s.is_zero()) {
        return Err(BAD_SIGNATURE);
    }
    let point = lift(&r.to_repr(), v & 1 == 1, v & 2 == 2).ok_or(BAD_SIGNATURE)?;
    let z = <Scalar as Reduce<U256>>::reduce_bytes(&digest.into());
    let inverse: Option<Scalar> = Invert::invert(&r).into();
    let inverse = inverse.ok_or(BAD_SIGNATURE)?;
    let key = ProjectivePoint::lincomb(&ProjectivePoint::GENERATOR, &-(inverse * z), &point.into(), &(inverse * s));
    if key == ProjectivePoint::IDENTITY {
        return Err(BAD_SIGNATURE);
    }
    Ok(key.to_affine())
}

/// Input: signature 65 (r ‖ s ‖ v), digest 32. Output: public key, 33 bytes or 64 without the leading 4.
/// Returns the length of the key, or the error number 0, 1 or 2.
#[no_mangle]
pub extern "C" fn ecdsa_recover(compressed: u32, strict: u32) -> u32 {
    let mut arguments = Arguments::new(97);
    let signature = (arguments.array(), arguments.array(), arguments.array::<1>()[0]);
    match recover(signature, arguments.array(), strict != 0) {
        Err(number) => number,
        Ok(point) if compressed != 0 => {
            put(point.to_encoded_point(true).as_bytes());
            33
        }
        Ok(point) => {
            put(&point.to_encoded_point(false).as_bytes()[1..]);
            64
        }
    }
}

/// Input: secret 32, digest 32. Output: signature 65 with v 0 or 1 and low s (RFC 6979 nonce).
#[no_mangle]
pub extern "C" fn ecdsa_sign() -> u32 {
    let mut arguments = Arguments::new(64);
    let Ok(key) = SigningKey::from_slice(arguments.take(32)) else {
        return 0;
    };
    let Ok((signature, id)) = key.sign_prehash_recoverable(arguments.take(32)) else {
        return 0;
    };
    let mut out = [0; 65];
    out[..64].copy_from_slice(&signature.to_bytes());
    out[64] = id.to_byte();
    put(&out);
    1
}

/// Input: secret 32. Output: compressed public key 33. Returns 0 when the secret is zero or beyond the order.
#[no_mangle]
pub extern "C" fn ecdsa_public() -> u32 {
    let Ok(key) = SigningKey::from_slice(Arguments::new(32).take(32)) else {
        return 0;
    };
    put(key.verifying_key().to_encoded_point(true).as_bytes());
    1
}
