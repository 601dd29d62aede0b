//! Numbers and types of the Wasm binary as the SDK's reader takes them (parity-wasm 0.45, src/elements/primitives.rs and types.rs).
use crate::scan::{At, Fault, MALFORMED, OVERRUN};

#[derive(Clone, Copy, PartialEq)]
pub enum Width {
    Unsigned32,
    Signed32,
    Signed64,
}

/// The offset after one LEB128 number, which must not be longer than its width needs, nor have a bit that its width has not.
/// Past the end when the number does not end before.
#[inline(always)]
pub fn skip(code: &[u8], from: usize, width: Width) -> At {
    let mut at = from;
    while at < code.len() && code[at] > 127 {
        at += 1;
    }
    if at - from > 3 {
        check_long(code, from, at, width)?;
    }
    Ok(at + 1)
}

/// A number of more than four bytes, of which the last is at `last`.
#[inline(never)]
fn check_long(code: &[u8], from: usize, last: usize, width: Width) -> Result<(), Fault> {
    let most = if width == Width::Signed64 { 10 } else { 5 };
    let length = last - from + 1;
    let upper = code.get(last).copied().ok_or(Fault(OVERRUN, 0))?;
    let fits = match width {
        Width::Unsigned32 => upper < 0x10,
        Width::Signed32 => upper < 0x08 || upper > 0x77,
        Width::Signed64 => upper == 0 || upper == 0x7f,
    };
    if length < most || length == most && fits {
        Ok(())
    } else {
        Err(Fault(MALFORMED, 0))
    }
}

/// The same where it need not be fast.
#[inline(never)]
pub fn skip_slowly(code: &[u8], from: usize, width: Width) -> At {
    skip(code, from, width)
}

/// An unsigned number of 32 bits and the offset after it.
#[inline(never)]
pub fn number(code: &[u8], at: usize) -> Result<(u32, usize), Fault> {
    let next = skip_slowly(code, at, Width::Unsigned32)?;
    let bytes = code.get(at..next).ok_or(Fault(OVERRUN, 0))?;
    Ok((bytes.iter().rev().fold(0, |value, byte| value << 7 | (byte & 127) as u32), next))
}

/// i32, i64, f32 or f64.
pub fn is_value_type(byte: u8) -> bool {
    (0x7c..=0x7f).contains(&byte)
}

/// The type of a block: none or one of the value types, as a signed number of 32 bits, which may have more bytes than it needs.
#[inline(never)]
pub fn skip_block_type(code: &[u8], at: usize) -> At {
    let next = skip_slowly(code, at, Width::Signed32)?;
    let bytes = code.get(at..next).ok_or(Fault(OVERRUN, 0))?;
    let (first, rest) = (bytes[0] & 127, &bytes[1..]);
    // A longer form of a negative number goes on with ones.
    let is_small = rest.iter().all(|byte| byte & 127 == 127);
    if is_small && (first == 0x40 || is_value_type(first)) {
        Ok(next)
    } else {
        Err(Fault(MALFORMED, 0))
    }
}
