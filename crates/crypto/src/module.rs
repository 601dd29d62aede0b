//! The fuel patch of a Wasm module: its code section with checks put in (docs/decisions/0008).
//!
//! Megabytes of code pass here at each start of a node; in JavaScript the engine had to warm up first.
use crate::checks::Checks;
use crate::memory::{input, put, reset_heap, Arguments};
use crate::leb::number;
use crate::scan::{Fault, Scan, OVERRUN};
use alloc::vec::Vec;

struct Body {
    /// Where it begins, behind its size, and where it ends.
    start: usize,
    end: usize,
    /// How many of the places are in it or before it.
    places: usize,
}

fn leb_length(value: usize) -> usize {
    ((usize::BITS - (value | 1).leading_zeros()) as usize).div_ceil(7)
}

fn push_leb(out: &mut Vec<u8>, mut value: usize) {
    while value > 127 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

fn added(scan: &Scan, from: usize, to: usize) -> usize {
    scan.places[from..to].iter().map(|place| scan.checks.length(place.check)).sum()
}

/// Copies one body with its checks.
#[inline(never)]
fn write_body(out: &mut Vec<u8>, scan: &Scan, body: &Body, first: usize) {
    push_leb(out, body.end - body.start + added(scan, first, body.places));
    let mut from = body.start;
    for &place in &scan.places[first..body.places] {
        let at = place.at as usize;
        out.extend_from_slice(&scan.code[from..at]);
        scan.checks.write(out, place);
        from = at;
    }
    out.extend_from_slice(&scan.code[from..body.end]);
}

/// What the walk found: the offset of the first body, the bodies, and the size of the section with its checks.
type Walked = (usize, Vec<Body>, usize);

#[inline(never)]
fn walk(scan: &mut Scan) -> Result<Walked, Fault> {
    let (count, first) = number(scan.code, 0)?;
    let mut bodies = Vec::new();
    let mut at = first;
    let mut size = first;
    for _ in 0..count {
        let before = scan.growth;
        let (length, start) = number(scan.code, at)?;
        at = start.checked_add(length as usize).filter(|&end| end <= scan.code.len()).ok_or(Fault(OVERRUN, 0))?;
        scan.body(start, at)?;
        bodies.push(Body { start, end: at, places: scan.places.len() });
        let length = length as usize + scan.growth - before;
        size += leb_length(length) + length;
    }
    if at == scan.code.len() {
        Ok((first, bodies, size))
    } else {
        Err(Fault(OVERRUN, 0))
    }
}

fn patch(scan: &mut Scan) -> Result<Vec<u8>, Fault> {
    let (first, bodies, size) = walk(scan)?;
    // The heap frees nothing: room for all of it at once.
    let mut out = Vec::with_capacity(size);
    out.extend_from_slice(&scan.code[..first]);
    let mut place = 0;
    for body in &bodies {
        write_body(&mut out, scan, body, place);
        place = body.places;
    }
    Ok(out)
}

fn put_fault(Fault(what, opcode): Fault) -> u32 {
    let mut answer = [0; 5];
    answer[0] = what;
    answer[1..].copy_from_slice(&opcode.to_le_bytes());
    put(&answer);
    0
}

/// Input (`length` bytes): three times u32 length and code: what comes before and what comes after the cost in a check of fuel,
/// the check before `memory.grow`; then the content of the code section. Output: u32 address and u32 length of the section with
/// the checks (it lies behind the input), one byte: it uses its memory size.
/// Returns 1, or 0 with the output: one byte what is wrong, u32 opcode.
#[no_mangle]
pub extern "C" fn patch_code(length: usize) -> u32 {
    reset_heap(length);
    let mut arguments = Arguments::new(length);
    let fuel = [arguments.bytes(), arguments.bytes()];
    let checks = Checks { fuel, grow: arguments.bytes() };
    let mut scan = Scan::new(arguments.rest(), checks);
    match patch(&mut scan) {
        Ok(out) => {
            let mut answer = [0; 9];
            answer[..4].copy_from_slice(&(out.as_ptr() as u32).to_le_bytes());
            answer[4..8].copy_from_slice(&(out.len() as u32).to_le_bytes());
            answer[8] = scan.uses_memory_size as u8;
            put(&answer);
            1
        }
        Err(fault) => put_fault(fault),
    }
}

/// Input: the content of a code section. Returns 1 if `patch_code` would take it, or 0 with the same output.
#[no_mangle]
pub extern "C" fn check_code(length: usize) -> u32 {
    reset_heap(length);
    let mut scan = Scan::new(input(length), Checks { fuel: [&[], &[]], grow: &[] });
    walk(&mut scan).map_or_else(put_fault, |_| 1)
}
