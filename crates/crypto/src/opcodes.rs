//! What the fuel patch knows of each instruction.

/// What follows an opcode in the binary (WebAssembly core specification §5.4).
#[derive(Clone, Copy, PartialEq)]
#[repr(u8)]
pub enum Immediates {
    None,
    /// An unsigned number of 32 bits, and two of them.
    One,
    Two,
    Signed32,
    Signed64,
    Block,
    Loop,
    If,
    Else,
    End,
    Branch,
    BranchIf,
    BranchTable,
    Return,
    Unreachable,
    /// A type, and the table 0.
    CallIndirect,
    Bytes4,
    Bytes8,
    /// The memory 0, of `memory.size`.
    MemorySize,
    /// The memory 0, of `memory.grow`.
    MemoryGrow,
    Refused,
}

/// The instructions of WebAssembly 1.0. The SDK's reader (parity-wasm without its optional features) knows no others.
const fn immediates_of(opcode: usize) -> Immediates {
    match opcode {
        0x00 => Immediates::Unreachable,
        0x02 => Immediates::Block,
        0x03 => Immediates::Loop,
        0x04 => Immediates::If,
        0x05 => Immediates::Else,
        0x0b => Immediates::End,
        0x0c => Immediates::Branch,
        0x0d => Immediates::BranchIf,
        0x0e => Immediates::BranchTable,
        0x0f => Immediates::Return,
        0x10 | 0x20..=0x24 => Immediates::One,
        0x11 => Immediates::CallIndirect,
        0x28..=0x3e => Immediates::Two,
        0x3f => Immediates::MemorySize,
        0x40 => Immediates::MemoryGrow,
        0x41 => Immediates::Signed32,
        0x42 => Immediates::Signed64,
        0x43 => Immediates::Bytes4,
        0x44 => Immediates::Bytes8,
        0x01 | 0x1a | 0x1b | 0x45..=0xbf => Immediates::None,
        _ => Immediates::Refused,
    }
}

pub const KINDS: [Immediates; 256] = {
    let mut kinds = [Immediates::Refused; 256];
    let mut opcode = 0;
    while opcode < 256 {
        kinds[opcode] = immediates_of(opcode);
        opcode += 1;
    }
    kinds
};

/// The plain instructions that one unit of fuel pays for.
pub const RATE: usize = 64;
/// From so many on since the last check, there is another.
pub const STRETCH: usize = 256;
/// From this size in bytes on, an engine does not optimize a function, and its code comes from slow memory.
pub const LARGE: usize = 65_536;
/// What its instructions count more.
pub const LARGE_FACTOR: usize = 4;

/// What an instruction counts: about its cycles where each waits for the one before.
const fn weight_of(opcode: usize) -> u8 {
    match opcode {
        // Division, remainder and square root.
        0x6d..=0x70 | 0x7f..=0x82 | 0x91 | 0x95 | 0x9f | 0xa3 => RATE as u8,
        // Floating point, jumps to a place worked out.
        0x8b..=0xa6 | 0xa8..=0xab | 0xae..=0xbf | 0x0e | 0x11 => 8,
        // Loads, products, bit counts, comparisons of floating point.
        0x28..=0x35 | 0x6c | 0x7e | 0x67..=0x69 | 0x79..=0x7b | 0x5b..=0x66 => 4,
        0x0d => 2,
        _ => 1,
    }
}

pub const WEIGHTS: [u8; 256] = {
    let mut weights = [0; 256];
    let mut opcode = 0;
    while opcode < 256 {
        weights[opcode] = weight_of(opcode);
        opcode += 1;
    }
    weights
};
