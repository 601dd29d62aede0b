//! The fuel patch of a Wasm module: its code section with checks put in (docs/decisions/0008).
//!
//! Megabytes of code pass here at each start of a node; in JavaScript the engine had to warm up first.
use crate::memory::{put, reset_heap, Arguments};
use alloc::vec::Vec;

const OVERRUN: u8 = 1;
const REFUSED: u8 = 2;
const REFUSED_PREFIXED: u8 = 3;
const TOO_LARGE: u8 = 4;

/// What the checks may add to the code: four times what an unpacked runtime may weigh (HOST.md §2.3).
const GROWTH_LIMIT: usize = 200 << 20;

struct Fault(u8, u32);

/// What follows an opcode in the binary (WebAssembly core specification §5.4).
#[derive(Clone, Copy, PartialEq)]
#[repr(u8)]
enum Immediates {
    None,
    One,
    Two,
    Loop,
    BranchTable,
    TypeList,
    Bytes4,
    Bytes8,
    /// One, of `memory.size`.
    MemorySize,
    /// One, of `memory.grow`.
    MemoryGrow,
    /// One, of `table.set`.
    TableSet,
    Prefixed,
    Refused,
}

/// Exceptions, tail calls, garbage collection, SIMD and threads are refused: native nodes refuse them too, and an
/// exception handler could catch the end of fuel.
const fn immediates_of(opcode: usize) -> Immediates {
    match opcode {
        0x03 => Immediates::Loop,
        0x02 | 0x04 | 0x0c | 0x0d | 0x10 | 0x20..=0x25 | 0x41 | 0x42 | 0xd0 | 0xd2 => Immediates::One,
        0x11 | 0x28..=0x3e => Immediates::Two,
        0x0e => Immediates::BranchTable,
        0x1c => Immediates::TypeList,
        0x26 => Immediates::TableSet,
        0x3f => Immediates::MemorySize,
        0x40 => Immediates::MemoryGrow,
        0x43 => Immediates::Bytes4,
        0x44 => Immediates::Bytes8,
        0x00 | 0x01 | 0x05 | 0x0b | 0x0f | 0x1a | 0x1b | 0x45..=0xc4 | 0xd1 => Immediates::None,
        0xfc => Immediates::Prefixed,
        _ => Immediates::Refused,
    }
}

const KINDS: [Immediates; 256] = {
    let mut kinds = [Immediates::Refused; 256];
    let mut opcode = 0;
    while opcode < 256 {
        kinds[opcode] = immediates_of(opcode);
        opcode += 1;
    }
    kinds
};

/// LEB immediates of the 0xfc instructions: saturating conversions, then bulk memory and tables.
const PREFIXED: [usize; 18] = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1];

/// 0xfc instructions that change segments or tables, which a memory restore cannot undo.
fn is_stateful(prefixed: u32) -> bool {
    prefixed == 9 || (prefixed >= 12 && prefixed != 16)
}

/// A place in the code section where a check goes.
#[derive(Clone, Copy)]
struct Place {
    at: u32,
    is_grow: bool,
}

struct Checks {
    fuel: &'static [u8],
    grow: &'static [u8],
}

impl Checks {
    fn of(&self, place: Place) -> &'static [u8] {
        if place.is_grow {
            self.grow
        } else {
            self.fuel
        }
    }
}

struct Scan {
    code: &'static [u8],
    checks: Checks,
    /// Of all functions so far, ascending.
    places: Vec<Place>,
    growth: usize,
    uses_memory_size: bool,
    needs_fresh_instance: bool,
}

type At = Result<usize, Fault>;

impl Scan {
    fn byte(&self, at: usize) -> Result<u8, Fault> {
        self.code.get(at).copied().ok_or(Fault(OVERRUN, 0))
    }

    /// An unsigned number of 32 bits and the offset after it.
    fn number(&self, mut at: usize) -> Result<(u32, usize), Fault> {
        let mut value = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte(at)?;
            at += 1;
            value |= ((byte & 127) as u32) << shift;
            if byte < 128 {
                return Ok((value, at));
            }
        }
        Err(Fault(OVERRUN, 0))
    }

    /// The offset after so many LEB numbers.
    fn skip(&self, mut at: usize, count: usize) -> At {
        for _ in 0..count {
            while self.byte(at)? > 127 {
                at += 1;
            }
            at += 1;
        }
        Ok(at)
    }

    fn note(&mut self, at: usize, is_grow: bool) -> Result<(), Fault> {
        let place = Place { at: at as u32, is_grow };
        self.growth += self.checks.of(place).len();
        if self.growth > GROWTH_LIMIT {
            return Err(Fault(TOO_LARGE, 0));
        }
        self.places.push(place);
        Ok(())
    }

    fn skip_prefixed(&mut self, at: usize) -> At {
        let (opcode, next) = self.number(at)?;
        let count = *PREFIXED.get(opcode as usize).ok_or(Fault(REFUSED_PREFIXED, opcode))?;
        self.needs_fresh_instance |= is_stateful(opcode);
        self.skip(next, count)
    }

    /// The offset after the immediates at `at` of an instruction that has not just one or two of them.
    #[inline(never)]
    fn skip_special(&mut self, opcode: u8, at: usize) -> At {
        match KINDS[opcode as usize] {
            Immediates::Loop => {
                let next = self.skip(at, 1)?;
                self.note(next, false)?;
                Ok(next)
            }
            Immediates::BranchTable => {
                let (count, next) = self.number(at)?;
                self.skip(next, (count as usize).saturating_add(1))
            }
            Immediates::TypeList => {
                let (count, next) = self.number(at)?;
                self.skip(next, count as usize)
            }
            Immediates::Bytes4 => Ok(at + 4),
            Immediates::Bytes8 => Ok(at + 8),
            Immediates::Prefixed => self.skip_prefixed(at),
            Immediates::MemorySize => {
                self.uses_memory_size = true;
                self.skip(at, 1)
            }
            Immediates::MemoryGrow => {
                self.uses_memory_size = true;
                self.note(at - 1, true)?;
                self.skip(at, 1)
            }
            Immediates::TableSet => {
                self.needs_fresh_instance = true;
                self.skip(at, 1)
            }
            _ => Err(Fault(REFUSED, opcode as u32)),
        }
    }

    /// Walks one function body and notes where checks go, the entry first. Not inlined: an engine replaces the code of a
    /// function only when it is entered anew.
    #[inline(never)]
    fn body(&mut self, start: usize, end: usize) -> Result<(), Fault> {
        let (locals, next) = self.number(start)?;
        let mut at = self.skip(next, (locals as usize).saturating_mul(2))?;
        let code = self.code.get(..end).ok_or(Fault(OVERRUN, 0))?;
        self.note(at, false)?;
        while at < end {
            let opcode = code[at];
            at += 1;
            let kind = KINDS[opcode as usize];
            if kind == Immediates::None {
                continue;
            }
            if kind as u8 > Immediates::Two as u8 {
                at = self.skip_special(opcode, at)?;
                continue;
            }
            at = skip_one(code, at);
            if kind == Immediates::Two {
                at = skip_one(code, at);
            }
        }
        if at == end {
            Ok(())
        } else {
            Err(Fault(OVERRUN, 0))
        }
    }
}

/// The offset after one LEB number; past the end when it does not end before.
#[inline(always)]
fn skip_one(code: &[u8], mut at: usize) -> usize {
    while at < code.len() && code[at] > 127 {
        at += 1;
    }
    at + 1
}

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
    scan.places[from..to].iter().map(|&place| scan.checks.of(place).len()).sum()
}

/// Copies one body with its checks.
#[inline(never)]
fn write_body(out: &mut Vec<u8>, scan: &Scan, body: &Body, first: usize) {
    push_leb(out, body.end - body.start + added(scan, first, body.places));
    let mut from = body.start;
    for &place in &scan.places[first..body.places] {
        let at = place.at as usize;
        out.extend_from_slice(&scan.code[from..at]);
        out.extend_from_slice(scan.checks.of(place));
        from = at;
    }
    out.extend_from_slice(&scan.code[from..body.end]);
}

fn patch(scan: &mut Scan) -> Result<Vec<u8>, Fault> {
    let (count, first) = scan.number(0)?;
    let mut bodies = Vec::new();
    let mut at = first;
    let mut size = first;
    for _ in 0..count {
        let before = scan.growth;
        let (length, start) = scan.number(at)?;
        at = start.checked_add(length as usize).filter(|&end| end <= scan.code.len()).ok_or(Fault(OVERRUN, 0))?;
        scan.body(start, at)?;
        bodies.push(Body { start, end: at, places: scan.places.len() });
        let length = length as usize + scan.growth - before;
        size += leb_length(length) + length;
    }
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

/// Input (`length` bytes): u32 length and the check for function entries and loop headers, u32 length and the check for
/// before each `memory.grow`, then the content of the code section. Output: u32 address and u32 length of the section with
/// the checks (it lies behind the input), one byte each: it uses its memory size, it needs a fresh instance.
/// Returns 1, or 0 with the output: one byte what is wrong, u32 opcode.
#[no_mangle]
pub extern "C" fn patch_code(length: usize) -> u32 {
    reset_heap(length);
    let mut arguments = Arguments::new(length);
    let checks = Checks { fuel: arguments.bytes(), grow: arguments.bytes() };
    let code = arguments.rest();
    let places = Vec::with_capacity(code.len() / 32);
    let mut scan = Scan { code, checks, places, growth: 0, uses_memory_size: false, needs_fresh_instance: false };
    let mut answer = [0; 10];
    let patched = patch(&mut scan);
    match &patched {
        Ok(out) => {
            answer[..4].copy_from_slice(&(out.as_ptr() as u32).to_le_bytes());
            answer[4..8].copy_from_slice(&(out.len() as u32).to_le_bytes());
            answer[8] = scan.uses_memory_size as u8;
            answer[9] = scan.needs_fresh_instance as u8;
        }
        Err(Fault(what, opcode)) => {
            answer[0] = *what;
            answer[1..5].copy_from_slice(&opcode.to_le_bytes());
        }
    }
    put(&answer);
    patched.is_ok() as u32
}
