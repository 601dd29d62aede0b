//! The compressed blocks of zstd frames (RFC 8878 §3.1.1.3), decoded into memory of the content's size. Runtimes come so
//! packed, and the first one is unpacked while nothing is warm: hence whole words in and out, tables of plain numbers, and
//! functions that are entered per block.
use crate::fse::{read_table, Bits, Damaged, Done, Table};
use crate::huffman::{read_tree, Tree};
use alloc::vec;
use alloc::vec::Vec;

pub const BLOCK_LIMIT: usize = 128 << 10;
/// Copies go in words and may write beyond their end.
pub const SLACK: usize = 16;

const LENGTH_BITS: [u8; 36] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14,
    15, 16,
];
const MATCH_BITS: [u8; 53] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1,
    2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
];

/// The value each code begins at, with the number of extra bits in the upper byte.
const fn codes<const N: usize>(first: u32, bits: [u8; N]) -> [u32; N] {
    let mut out = [0; N];
    let mut value = first;
    let mut code = 0;
    while code < N {
        out[code] = value | (bits[code] as u32) << 24;
        value += 1 << bits[code];
        code += 1;
    }
    out
}
static LENGTH_CODES: [u32; 36] = codes(0, LENGTH_BITS);
static MATCH_CODES: [u32; 53] = codes(3, MATCH_BITS);

const LENGTH_COUNTS: [i16; 36] = [
    4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1,
    -1,
];
const OFFSET_COUNTS: [i16; 29] =
    [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1];
const MATCH_COUNTS: [i16; 53] = [
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
];
const LARGEST_OFFSET_CODE: usize = 31;

/// Little-endian number of up to four bytes.
pub fn number(src: &[u8], at: usize, length: usize) -> Done<usize> {
    let bytes = src.get(at..at + length).ok_or(Damaged)?;
    Ok(bytes.iter().rev().fold(0, |value, &byte| value << 8 | byte as usize))
}

#[inline(always)]
fn copy_word(to: &mut [u8], at: usize, from: &[u8], from_at: usize) {
    let word: [u8; 8] = from[from_at..from_at + 8].try_into().unwrap();
    to[at..at + 8].copy_from_slice(&word);
}

pub struct Decoder {
    pub out: Vec<u8>,
    pub at: usize,
    /// The first byte of `out` that a match may refer to.
    pub floor: usize,
    /// Where the output of the current block must end.
    pub end: usize,
    literals: Vec<u8>,
    tree: Tree,
    lengths: Table,
    offsets: Table,
    matches: Table,
    recent: [usize; 3],
}

impl Decoder {
    /// With room for `size` bytes.
    pub fn new(size: usize) -> Self {
        let table = Table::empty;
        Self {
            out: vec![0; size + SLACK],
            at: 0,
            floor: 0,
            end: 0,
            literals: vec![0; BLOCK_LIMIT + SLACK],
            tree: Tree::empty(),
            lengths: table(),
            offsets: table(),
            matches: table(),
            recent: [1, 4, 8],
        }
    }

    /// Forgets the tables and the offsets of the frame before.
    pub fn start_frame(&mut self) {
        self.tree.bits = 0;
        self.lengths.log = u32::MAX;
        self.offsets.log = u32::MAX;
        self.matches.log = u32::MAX;
        self.recent = [1, 4, 8];
    }

    /// Puts the literals of a block into `literals`; answers how many, and the offset after their section.
    #[inline(never)]
    fn read_literals(&mut self, src: &[u8], at: usize, end: usize) -> Done<(usize, usize)> {
        let first = number(src, at, 1)?;
        let (kind, format) = (first & 3, first >> 2 & 3);
        if kind < 2 {
            let (width, shift) = [(1, 3), (2, 4), (1, 3), (3, 4)][format];
            let count = number(src, at, width)? >> shift;
            let start = at + width;
            let next = start + if kind == 0 { count } else { 1 };
            if count > BLOCK_LIMIT || next > end {
                return Err(Damaged);
            }
            if kind == 0 {
                self.literals[..count].copy_from_slice(&src[start..next]);
            } else {
                self.literals[..count].fill(src[start]);
            }
            return Ok((count, next));
        }
        let (width, bits) = [(3, 10), (3, 10), (4, 14), (5, 18)][format];
        let head = number(src, at, width.min(4))? as u64
            | if width == 5 { (number(src, at + 4, 1)? as u64) << 32 } else { 0 };
        let mask = (1 << bits) - 1;
        let count = (head >> 4) as usize & mask;
        let mut start = at + width;
        let next = start + ((head >> (4 + bits)) as usize & mask);
        // libzstd reads four streams only of so many literals.
        if count > BLOCK_LIMIT || next > end || format > 0 && count < 6 {
            return Err(Damaged);
        }
        if kind == 2 {
            start = read_tree(&mut self.tree, src, start, next)?;
        }
        let literals = &mut self.literals[..count];
        if format == 0 {
            self.tree.decode(src, start, next, literals)?;
        } else {
            let part = count.div_ceil(4);
            let mut from = start + 6;
            let mut rest = literals;
            for stream in 0..4 {
                let to = if stream == 3 { next } else { from + number(src, start + 2 * stream, 2)? };
                let size = if stream == 3 { rest.len() } else { part };
                if to > next || size > rest.len() {
                    return Err(Damaged);
                }
                let (now, later) = rest.split_at_mut(size);
                self.tree.decode(src, from, to, now)?;
                rest = later;
                from = to;
            }
        }
        Ok((count, next))
    }

    /// A compressed block (RFC 8878 §3.1.1.3): literals, tables, sequences.
    pub fn read_compressed(&mut self, src: &[u8], start: usize, end: usize) -> Done<()> {
        let (count, mut at) = self.read_literals(src, start, end)?;
        let mut sequences = number(src, at, 1)?;
        at += 1;
        if sequences > 127 {
            let width = if sequences == 255 { 2 } else { 1 };
            let more = number(src, at, width)?;
            sequences = if width == 2 { more + 0x7f00 } else { (sequences - 128) << 8 | more };
            at += width;
        }
        let mut used = 0;
        if sequences > 0 {
            let modes = number(src, at, 1)?;
            if modes & 3 != 0 {
                return Err(Damaged);
            }
            at = read_table(&mut self.lengths, modes >> 6, (&LENGTH_COUNTS, 6), 9, 35, src, at + 1, end)?;
            let largest = LARGEST_OFFSET_CODE;
            at = read_table(&mut self.offsets, modes >> 4 & 3, (&OFFSET_COUNTS, 5), 8, largest, src, at, end)?;
            at = read_table(&mut self.matches, modes >> 2 & 3, (&MATCH_COUNTS, 6), 9, 52, src, at, end)?;
            used = self.run(src, (at, end), sequences, count)?;
        } else if at != end {
            return Err(Damaged);
        }
        let rest = count - used;
        let room = self.out[..self.end].get_mut(self.at..self.at + rest).ok_or(Damaged)?;
        room.copy_from_slice(&self.literals[used..count]);
        self.at += rest;
        Ok(())
    }

    /// Runs the sequences of a block; answers how many literals they took.
    #[inline(never)]
    fn run(&mut self, src: &[u8], span: (usize, usize), sequences: usize, count: usize) -> Done<usize> {
        let mut bits = Bits::new(src, span.0, span.1)?;
        let (lengths, offsets, matches) = (&self.lengths, &self.offsets, &self.matches);
        let (out, literals) = (&mut self.out[..], &self.literals[..]);
        let (limit, floor) = (self.end, self.floor);
        let mut window = bits.window()?;
        let mut length_state = bits.take(&mut window, lengths.log);
        let mut offset_state = bits.take(&mut window, offsets.log);
        let mut match_state = bits.take(&mut window, matches.log);
        let mut recent = self.recent;
        let (mut at, mut used) = (self.at, 0);
        for left in (0..sequences).rev() {
            let length_entry = lengths.entries[length_state & 511];
            let offset_entry = offsets.entries[offset_state & 511];
            let match_entry = matches.entries[match_state & 511];
            let match_code = MATCH_CODES[match_entry.symbol as usize];
            let length_code = LENGTH_CODES[length_entry.symbol as usize];
            let mut window = bits.window()?;
            let offset_code = offset_entry.symbol as u32;
            let value = (1 << offset_code) + bits.take(&mut window, offset_code);
            let match_length = (match_code & 0xff_ffff) as usize + bits.take(&mut window, match_code >> 24);
            let mut window = bits.window()?;
            let length = (length_code & 0xff_ffff) as usize + bits.take(&mut window, length_code >> 24);
            if left > 0 {
                length_state = length_entry.next as usize + bits.take(&mut window, length_entry.bits as u32);
                match_state = match_entry.next as usize + bits.take(&mut window, match_entry.bits as u32);
                offset_state = offset_entry.next as usize + bits.take(&mut window, offset_entry.bits as u32);
            }
            let offset = if value > 3 {
                recent = [value - 3, recent[0], recent[1]];
                recent[0]
            } else {
                repeat(&mut recent, value - (length != 0) as usize)?
            };
            let from = at + length;
            let end = from + match_length;
            if used + length > count || end > limit || offset > from - floor {
                return Err(Damaged);
            }
            let mut to = at;
            let mut literal = used;
            while to < from {
                copy_word(out, to, literals, literal);
                to += 8;
                literal += 8;
            }
            used += length;
            to = from;
            if offset >= 8 {
                while to < end {
                    let word: [u8; 8] = out[to - offset..to - offset + 8].try_into().unwrap();
                    out[to..to + 8].copy_from_slice(&word);
                    to += 8;
                }
            } else {
                while to < end {
                    out[to] = out[to - offset];
                    to += 1;
                }
            }
            at = end;
        }
        self.recent = recent;
        self.at = at;
        if bits.is_done() {
            Ok(used)
        } else {
            Err(Damaged)
        }
    }
}

/// The offset that one of the last three stands for; `which` is 0 to 3 (RFC 8878 §3.1.1.5).
fn repeat(recent: &mut [usize; 3], which: usize) -> Done<usize> {
    let [first, second, third] = *recent;
    let offset = match which {
        0 => return Ok(first),
        1 => second,
        2 => third,
        _ => first - 1,
    };
    if offset == 0 {
        return Err(Damaged);
    }
    *recent = [offset, first, if which == 1 { third } else { second }];
    Ok(offset)
}
