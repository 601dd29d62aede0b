//! Where the checks of the fuel patch go in the code of a module, and what they cost.
use crate::checks::{Check, Checks, Place};
use crate::leb::{is_value_type, number, skip, skip_block_type, skip_slowly, Width};
use crate::opcodes::{Immediates, KINDS, LARGE, LARGE_FACTOR, RATE, STRETCH, WEIGHTS};
use alloc::vec::Vec;
use core::num::NonZeroU32;

pub const OVERRUN: u8 = 1;
pub const REFUSED: u8 = 2;
pub const MALFORMED: u8 = 3;
const TOO_LARGE: u8 = 4;

/// What the checks may add to the code: four times what an unpacked runtime may weigh (HOST.md §2.3).
const GROWTH_LIMIT: usize = 200 << 20;

/// What is wrong, and the opcode.
pub struct Fault(pub u8, pub u32);

/// An open block, or the function itself.
pub struct Frame {
    /// Index of the check that every way to the frame's label passes next: a loop's; the function's, for the ways out of it.
    /// Not there for a block, where the ways come together.
    check: Option<NonZeroU32>,
    /// The most instructions since a check on any way to the label so far.
    most: u16,
    /// The same where the false side of an `if` begins, until that is seen.
    other: u16,
}

pub struct Scan {
    pub code: &'static [u8],
    pub checks: Checks,
    /// Of all functions so far, ascending.
    pub places: Vec<Place>,
    frames: Vec<Frame>,
    /// The most instructions that may have run since a check, on any way here.
    since: usize,
    pub growth: usize,
    pub uses_memory_size: bool,
}

pub type At = Result<usize, Fault>;

impl Scan {
    pub fn new(code: &'static [u8], checks: Checks) -> Self {
        Self {
            code,
            checks,
            places: Vec::with_capacity(code.len() / 32),
            frames: Vec::with_capacity(64),
            since: 0,
            growth: 0,
            uses_memory_size: false,
        }
    }

    fn note(&mut self, at: usize, check: Check, cost: usize) -> Result<(), Fault> {
        self.growth += self.checks.length(check);
        if self.growth > GROWTH_LIMIT {
            return Err(Fault(TOO_LARGE, 0));
        }
        self.places.push(Place { at: at as u32, check, cost: cost as u8 });
        Ok(())
    }

    /// A check whose cost is known when its frame ends.
    fn open(&mut self, at: usize) -> Result<(), Fault> {
        // The first place is the entry of a function: the number is one above the index.
        self.note(at, Check::Fuel, 1)?;
        self.frames.push(Frame {
            check: NonZeroU32::new(self.places.len() as u32),
            most: self.since as u16,
            other: 0,
        });
        self.since = 0;
        Ok(())
    }

    /// A way to the label `depth` frames out. What is no label is left to the engine, which refuses it.
    fn branch(&mut self, depth: u32) {
        let index = self.frames.len().wrapping_sub(depth as usize).wrapping_sub(1);
        if let Some(frame) = self.frames.get_mut(index) {
            frame.most = frame.most.max(self.since as u16);
        }
    }

    fn close(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        let most = frame.most as usize;
        let Some(number) = frame.check else {
            self.since = self.since.max(most).max(frame.other as usize);
            return;
        };
        let most = if self.frames.is_empty() { most.max(self.since) } else { most };
        self.places[number.get() as usize - 1].cost = (1 + most / RATE) as u8;
    }

    /// The number 0 of the only table or memory, and the offset after it.
    fn skip_zero(&self, at: usize) -> At {
        match self.code.get(at) {
            Some(0) => Ok(at + 1),
            _ => Err(Fault(MALFORMED, 0)),
        }
    }

    /// The offset after the immediates at `at` of an instruction that has not just one or two of them.
    #[inline(never)]
    fn skip_special(&mut self, opcode: u8, at: usize) -> At {
        match KINDS[opcode as usize] {
            kind @ (Immediates::Block | Immediates::If) => {
                let other = if kind == Immediates::If { self.since as u16 } else { 0 };
                self.frames.push(Frame { check: None, most: 0, other });
                skip_block_type(self.code, at)
            }
            Immediates::Loop => {
                let next = skip_block_type(self.code, at)?;
                self.open(next)?;
                Ok(next)
            }
            Immediates::Else => {
                self.branch(0);
                if let Some(frame) = self.frames.last_mut() {
                    self.since = frame.other as usize;
                    frame.other = 0;
                }
                Ok(at)
            }
            Immediates::End => {
                self.close();
                Ok(at)
            }
            kind @ (Immediates::Return | Immediates::Unreachable) => {
                if kind == Immediates::Return {
                    self.branch((self.frames.len() as u32).wrapping_sub(1));
                }
                self.since = 0;
                Ok(at)
            }
            kind @ (Immediates::Branch | Immediates::BranchIf) => {
                let (depth, next) = number(self.code, at)?;
                self.branch(depth);
                if kind == Immediates::Branch {
                    self.since = 0;
                }
                Ok(next)
            }
            Immediates::BranchTable => {
                let (count, mut next) = number(self.code, at)?;
                for _ in 0..=count {
                    let (depth, after) = number(self.code, next)?;
                    self.branch(depth);
                    next = after;
                }
                self.since = 0;
                Ok(next)
            }
            Immediates::CallIndirect => self.skip_zero(skip_slowly(self.code, at, Width::Unsigned32)?),
            Immediates::Bytes4 => Ok(at + 4),
            Immediates::Bytes8 => Ok(at + 8),
            Immediates::MemorySize => {
                self.uses_memory_size = true;
                self.skip_zero(at)
            }
            Immediates::MemoryGrow => {
                self.uses_memory_size = true;
                self.note(at - 1, Check::Grow, 0)?;
                self.skip_zero(at)
            }
            _ => Err(Fault(REFUSED, opcode as u32)),
        }
    }

    /// The offset after the declarations of locals; there are fewer than 2^32 of them.
    fn skip_locals(&self, at: usize) -> At {
        let (groups, mut at) = number(self.code, at)?;
        let mut total = 0_u32;
        for _ in 0..groups {
            let (count, next) = number(self.code, at)?;
            total = total.checked_add(count).ok_or(Fault(MALFORMED, 0))?;
            if !self.code.get(next).is_some_and(|&byte| is_value_type(byte)) {
                return Err(Fault(MALFORMED, 0));
            }
            at = next + 1;
        }
        Ok(at)
    }

    /// Walks one function body and notes where checks go, the entry first. Not inlined: an engine replaces the code of a
    /// function only when it is entered anew.
    #[inline(never)]
    pub fn body(&mut self, start: usize, end: usize) -> Result<(), Fault> {
        let mut at = self.skip_locals(start)?;
        let code = self.code.get(..end).ok_or(Fault(OVERRUN, 0))?;
        self.frames.clear();
        self.since = 0;
        self.open(at)?;
        let mut since = 0;
        let factor = if end - start < LARGE { 1 } else { LARGE_FACTOR };
        while at < end {
            // The function has ended before.
            if self.frames.is_empty() {
                return Err(Fault(OVERRUN, 0));
            }
            if since >= STRETCH {
                self.note(at, Check::Fuel, since / RATE)?;
                since = 0;
            }
            let opcode = code[at];
            at += 1;
            since += WEIGHTS[opcode as usize] as usize * factor;
            let kind = KINDS[opcode as usize];
            if kind == Immediates::None {
                continue;
            }
            if kind as u8 > Immediates::Signed64 as u8 {
                self.since = since;
                at = self.skip_special(opcode, at)?;
                since = self.since;
                continue;
            }
            let width = match kind {
                Immediates::Signed32 => Width::Signed32,
                Immediates::Signed64 => Width::Signed64,
                _ => Width::Unsigned32,
            };
            at = skip(code, at, width)?;
            if kind == Immediates::Two {
                at = skip(code, at, width)?;
            }
        }
        if at == end && self.frames.is_empty() {
            Ok(())
        } else {
            Err(Fault(OVERRUN, 0))
        }
    }
}
