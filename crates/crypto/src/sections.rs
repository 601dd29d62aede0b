//! The sections of a Wasm module besides its code, as the SDK reads them (parity-wasm 0.45 without its optional features,
//! src/elements): WebAssembly 1.0, nothing left over.
use crate::leb::{is_value_type, number, skip_block_type, skip_slowly, Width};
use crate::memory::input;
use crate::opcodes::{Immediates, KINDS};
use crate::scan::{Fault, MALFORMED, REFUSED};

type Done<T> = Result<T, Fault>;
const BAD: Fault = Fault(MALFORMED, 0);
const END: u8 = 0x0b;

struct Cursor {
    bytes: &'static [u8],
    at: usize,
    /// Nothing so far that a native node reads, but cannot instantiate: offsets and initial values that are no single
    /// constant, segments of another table or memory than 0, or more than one of these, or a table that is too large.
    is_plain: bool,
}

/// The most items of a table (sc-executor-wasmtime, `table_elements`).
const TABLE_LIMIT: u32 = 8192;

impl Cursor {
    fn byte(&mut self) -> Done<u8> {
        let byte = self.bytes.get(self.at).copied().ok_or(BAD)?;
        self.at += 1;
        Ok(byte)
    }
    #[inline(never)]
    fn number(&mut self) -> Done<u32> {
        let (value, next) = number(self.bytes, self.at)?;
        self.at = next;
        Ok(value)
    }
    fn skip(&mut self, width: Width) -> Done<()> {
        self.at = skip_slowly(self.bytes, self.at, width)?;
        Ok(())
    }
    fn take(&mut self, length: usize) -> Done<&'static [u8]> {
        let end = self.at.checked_add(length).ok_or(BAD)?;
        let bytes = self.bytes.get(self.at..end).ok_or(BAD)?;
        self.at = end;
        Ok(bytes)
    }
    #[inline(never)]
    fn list(&mut self, item: fn(&mut Self) -> Done<()>) -> Done<u32> {
        let count = self.number()?;
        for _ in 0..count {
            item(self)?;
        }
        Ok(count)
    }
    fn index(&mut self) -> Done<()> {
        self.number().map(|_| ())
    }
    #[inline(never)]
    fn text(&mut self) -> Done<()> {
        let length = self.number()? as usize;
        core::str::from_utf8(self.take(length)?).map(|_| ()).map_err(|_| BAD)
    }
    #[inline(never)]
    fn is(&mut self, allowed: fn(u8) -> bool) -> Done<()> {
        let byte = self.byte()?;
        if allowed(byte) {
            Ok(())
        } else {
            Err(BAD)
        }
    }
    fn value_type(&mut self) -> Done<()> {
        self.is(is_value_type)
    }
    #[inline(never)]
    fn limits(&mut self) -> Done<u32> {
        let flags = self.byte()?;
        if flags > 1 {
            return Err(BAD);
        }
        let least = self.number()?;
        if flags == 1 {
            self.number()?;
        }
        Ok(least)
    }
    fn memory_type(&mut self) -> Done<()> {
        self.limits().map(|_| ())
    }
    fn table_type(&mut self) -> Done<()> {
        self.is(|byte| byte == 0x70)?;
        self.is_plain &= self.limits()? <= TABLE_LIMIT;
        Ok(())
    }
    fn global_type(&mut self) -> Done<()> {
        self.value_type()?;
        self.is(|byte| byte < 2)
    }
    fn function_type(&mut self) -> Done<()> {
        self.is(|byte| byte == 0x60)?;
        self.list(Self::value_type)?;
        if self.list(Self::value_type)? > 1 {
            return Err(BAD);
        }
        Ok(())
    }
    fn import(&mut self) -> Done<()> {
        self.text()?;
        self.text()?;
        match self.byte()? {
            0 => self.index(),
            1 => self.table_type(),
            2 => self.memory_type(),
            3 => self.global_type(),
            _ => Err(BAD),
        }
    }
    fn export(&mut self) -> Done<()> {
        self.text()?;
        self.is(|kind| kind < 4)?;
        self.index()
    }

    /// The instruction at the cursor, whose opcode is returned.
    fn instruction(&mut self) -> Done<u8> {
        let opcode = self.byte()?;
        match KINDS[opcode as usize] {
            Immediates::One | Immediates::Branch | Immediates::BranchIf => self.skip(Width::Unsigned32)?,
            Immediates::Two => {
                self.skip(Width::Unsigned32)?;
                self.skip(Width::Unsigned32)?;
            }
            Immediates::Signed32 => self.skip(Width::Signed32)?,
            Immediates::Signed64 => self.skip(Width::Signed64)?,
            Immediates::Block | Immediates::Loop | Immediates::If => {
                self.at = skip_block_type(self.bytes, self.at)?;
            }
            Immediates::BranchTable => {
                self.list(Self::index)?;
                self.index()?;
            }
            Immediates::CallIndirect => {
                self.index()?;
                self.is(|byte| byte == 0)?;
            }
            Immediates::MemorySize | Immediates::MemoryGrow => self.is(|byte| byte == 0)?,
            Immediates::Bytes4 => drop(self.take(4)?),
            Immediates::Bytes8 => drop(self.take(8)?),
            Immediates::Refused => return Err(Fault(REFUSED, opcode as u32)),
            _ => (),
        }
        Ok(opcode)
    }
    /// An initial value or offset: any instructions up to the first `end`.
    #[inline(never)]
    fn constant(&mut self) -> Done<()> {
        let mut count = 0;
        loop {
            match self.instruction()? {
                END => break,
                opcode => self.is_plain &= (0x41..=0x44).contains(&opcode),
            }
            count += 1;
        }
        self.is_plain &= count == 1;
        Ok(())
    }
    fn global(&mut self) -> Done<()> {
        self.global_type()?;
        self.constant()
    }
    fn element(&mut self) -> Done<()> {
        self.is_plain &= self.number()? == 0;
        self.constant()?;
        self.list(Self::index).map(|_| ())
    }
    fn data(&mut self) -> Done<()> {
        match self.number()? {
            0 => (),
            // To an engine, a segment of the memory whose number follows: 0. To the SDK's reader, an instruction.
            2 if self.bytes.get(self.at) == Some(&0) => self.at += 1,
            _ => self.is_plain = false,
        }
        self.constant()?;
        let length = self.number()? as usize;
        self.take(length).map(|_| ())
    }

    fn section(&mut self, id: u32) -> Done<()> {
        match id {
            1 => drop(self.list(Self::function_type)?),
            2 => drop(self.list(Self::import)?),
            3 => drop(self.list(Self::index)?),
            4 => self.is_plain &= self.list(Self::table_type)? < 2,
            5 => self.is_plain &= self.list(Self::memory_type)? < 2,
            6 => drop(self.list(Self::global)?),
            7 => drop(self.list(Self::export)?),
            9 => drop(self.list(Self::element)?),
            11 => drop(self.list(Self::data)?),
            // Start, and the number of data segments.
            _ => self.index()?,
        }
        if self.at == self.bytes.len() {
            Ok(())
        } else {
            Err(BAD)
        }
    }
}

/// Input (`length` bytes): the content of a section, which is neither custom nor code. Returns 0 if the SDK's reader refuses it,
/// 1 if it takes it, 2 if it does but no native node can instantiate the module.
#[no_mangle]
pub extern "C" fn read_section(id: u32, length: usize) -> u32 {
    let mut cursor = Cursor { bytes: input(length), at: 0, is_plain: true };
    match cursor.section(id) {
        Err(_) => 0,
        Ok(()) if cursor.is_plain => 1,
        Ok(()) => 2,
    }
}
