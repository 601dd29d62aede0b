//! Frames of zstd (RFC 8878 §3.1), judged as the SDK judges a packed runtime: sp-maybe-compressed-blob reads them through the
//! streaming decoder of libzstd 1.5.7 (lib/decompress/zstd_decompress.c), which is laxer than the format here and stricter there.
use crate::fse::{Damaged, Done};
use crate::memory::{input, put, reset_heap};
use crate::zstd::{number, Decoder, BLOCK_LIMIT, SLACK};
use alloc::vec::Vec;
use xxhash_rust::xxh64::xxh64;

const MAGIC: u32 = 0xfd2f_b528;
const SKIPPABLE: u32 = 0x184d_2a50;
/// Bits of the input are counted in 32 bits.
const INPUT_LIMIT: usize = 256 << 20;
/// Larger windows are no valid frames (`ZSTD_WINDOWLOG_MAX`), and not streamed (`ZSTD_WINDOWLOG_LIMIT_DEFAULT`).
const LARGEST_WINDOW_LOG: usize = 31;
const STREAMED_WINDOW: u64 = 1 << 27;
/// What libzstd writes beyond the end of a copy (`WILDCOPY_OVERLENGTH`); its buffer has room for two.
const OVERLENGTH: u64 = 32;
/// How the SDK reads: so many bytes of the blob at once (`ZSTD_DStreamInSize`), and at most so many of the content at first.
const INPUT_CHUNK: usize = BLOCK_LIMIT + 3;
const OUTPUT_CHUNK: usize = 8192;
/// The size of Rust's first read into a buffer that is full, or hardly any (`Read::read_to_end`).
const PROBE: usize = 32;

struct Frame {
    /// Where its first block begins.
    blocks: usize,
    content: Option<u64>,
    window: u64,
    has_checksum: bool,
}

impl Frame {
    fn block_limit(&self) -> usize {
        self.window.min(BLOCK_LIMIT as u64) as usize
    }
}

/// The header of the frame at `at` (RFC 8878 §3.1.1.1).
fn read_header(src: &[u8], at: usize) -> Done<Frame> {
    let descriptor = number(src, at + 4, 1)?;
    if descriptor & 8 != 0 {
        return Err(Damaged);
    }
    let single = descriptor & 32 != 0;
    let mut window = 0;
    if !single {
        let byte = number(src, at + 5, 1)?;
        let log = (byte >> 3) + 10;
        if log > LARGEST_WINDOW_LOG {
            return Err(Damaged);
        }
        window = (1 << log) + ((1 << log) >> 3) * (byte & 7) as u64;
    }
    let dictionary = [0, 1, 2, 4][descriptor & 3];
    let sized = at + 5 + !single as usize;
    if number(src, sized, dictionary)? != 0 {
        return Err(Damaged);
    }
    let flag = descriptor >> 6;
    let width = if flag == 0 && !single { 0 } else { 1 << flag };
    let from = sized + dictionary;
    let low = number(src, from, width.min(4))? as u64;
    let content = match width {
        0 => None,
        2 => Some(low + 256),
        8 => Some(low | (number(src, from + 4, 4)? as u64) << 32),
        _ => Some(low),
    };
    if single {
        window = content.unwrap_or(0);
    }
    Ok(Frame { blocks: from + width, content, window, has_checksum: descriptor & 4 != 0 })
}

struct Block {
    is_last: bool,
    kind: usize,
    size: usize,
    start: usize,
    end: usize,
}

fn read_block(src: &[u8], at: usize) -> Done<Block> {
    let header = number(src, at, 3)?;
    let (kind, size) = (header >> 1 & 3, header >> 3);
    let start = at + 3;
    let end = start + if kind == 1 { 1 } else { size };
    if kind == 3 || size > BLOCK_LIMIT || end > src.len() {
        return Err(Damaged);
    }
    Ok(Block { is_last: header & 1 == 1, kind, size, start, end })
}

struct Place {
    at: usize,
    end: usize,
}

/// Where the frame at `at` ends, and how much it can hold at most.
fn measure(src: &[u8], at: usize) -> Done<(Place, usize)> {
    let frame = read_header(src, at)?;
    let mut most = 0_usize;
    let mut next = frame.blocks;
    loop {
        let block = read_block(src, next)?;
        most = most.saturating_add(if block.kind == 2 { BLOCK_LIMIT } else { block.size });
        next = block.end;
        if block.is_last {
            break;
        }
    }
    next += if frame.has_checksum { 4 } else { 0 };
    if next > src.len() {
        return Err(Damaged);
    }
    let announced = frame.content.unwrap_or(u64::MAX).min(most as u64) as usize;
    Ok((Place { at, end: next }, announced))
}

/// The buffer into which libzstd decodes before it hands over: where its blocks go decides how far back a match may refer.
struct Ring {
    size: u64,
    /// Where in it the next block begins.
    next: u64,
    /// Where in the output the blocks since its start begin, and those before.
    segment: usize,
    before: usize,
}

struct Unpacker<'a> {
    src: &'a [u8],
    decoder: Decoder,
    ring: u64,
    /// Bytes that may come out; beyond it nothing more is read.
    limit: usize,
}

impl Unpacker<'_> {
    /// The room that the SDK offers for more content: a vector of the input's size, doubled when it is full.
    fn room(&self) -> usize {
        let (first, done) = (self.src.len(), self.decoder.at);
        if first < PROBE && done == 0 || first == done {
            return PROBE;
        }
        let mut size = first;
        while size <= done {
            size *= 2;
        }
        (size - done).min(OUTPUT_CHUNK)
    }

    /// Whether libzstd decodes the frame at once: its content fits into the room, and all of it was read.
    fn is_at_once(&self, frame: &Frame, place: &Place) -> bool {
        let is_read = place.at % INPUT_CHUNK + (place.end - place.at) <= INPUT_CHUNK;
        is_read && frame.content.is_some_and(|size| size <= self.room() as u64)
    }

    fn read_block(&mut self, block: &Block, end: usize) -> Done<()> {
        let decoder = &mut self.decoder;
        decoder.end = end.min(decoder.out.len() - SLACK);
        if block.kind == 2 {
            return decoder.read_compressed(self.src, block.start, block.end);
        }
        let span = decoder.at..decoder.at + block.size;
        let room = decoder.out[..decoder.end].get_mut(span).ok_or(Damaged)?;
        if block.kind == 0 {
            room.copy_from_slice(&self.src[block.start..block.end]);
        } else {
            room.fill(self.src[block.start]);
        }
        decoder.at += block.size;
        Ok(())
    }

    /// A frame that is decoded at once: its blocks may be larger than its window, and each must be whole.
    fn read_at_once(&mut self, frame: &Frame) -> Done<()> {
        let from = self.decoder.at;
        let end = from + self.room();
        self.decoder.floor = from;
        let mut next = frame.blocks;
        loop {
            let block = read_block(self.src, next)?;
            if block.kind == 2 && block.size > frame.block_limit() {
                return Err(Damaged);
            }
            self.read_block(&block, end)?;
            next = block.end;
            if block.is_last {
                break;
            }
        }
        self.check_end(frame, from, next, true)
    }

    fn read_streamed(&mut self, frame: &Frame) -> Done<()> {
        let limit = frame.block_limit();
        let window = frame.window.max(1 << 10);
        if window > STREAMED_WINDOW {
            return Err(Damaged);
        }
        let announced = frame.content.unwrap_or(u64::MAX);
        self.ring = self.ring.max(announced.min(window + 2 * limit as u64 + 2 * OVERLENGTH));
        let from = self.decoder.at;
        let mut ring = Ring { size: self.ring, next: 0, segment: from, before: from };
        let mut next = frame.blocks;
        loop {
            let block = read_block(self.src, next)?;
            next = block.end;
            if block.end - block.start > limit {
                return Err(Damaged);
            }
            let is_empty = block.kind != 1 && block.size == 0;
            if !is_empty {
                self.read_into_ring(&mut ring, &block, limit, announced)?;
            }
            if block.is_last || self.decoder.at > self.limit {
                return self.check_end(frame, from, next, !is_empty);
            }
        }
    }

    fn read_into_ring(&mut self, ring: &mut Ring, block: &Block, limit: usize, announced: u64) -> Done<()> {
        let before = self.decoder.at;
        self.decoder.floor = ring.before;
        let room = (ring.size - ring.next).min(usize::MAX as u64 / 2) as usize;
        self.read_block(block, before + room)?;
        let size = self.decoder.at - before;
        if size > limit {
            return Err(Damaged);
        }
        ring.next += size as u64;
        if ring.size < announced && ring.next + limit as u64 > ring.size {
            *ring = Ring { next: 0, segment: self.decoder.at, before: ring.segment, ..*ring };
        }
        Ok(())
    }

    /// Checksum and size. libzstd does not compare the size when a streamed frame ends with an empty block.
    fn check_end(&self, frame: &Frame, from: usize, next: usize, has_size: bool) -> Done<()> {
        let content = &self.decoder.out[from..self.decoder.at];
        let is_sized = !has_size || frame.content.is_none_or(|size| size == content.len() as u64);
        let is_sound = !frame.has_checksum || number(self.src, next, 4)? == xxh64(content, 0) as u32 as usize;
        if self.decoder.at > self.limit || is_sized && is_sound {
            Ok(())
        } else {
            Err(Damaged)
        }
    }

    fn read_frame(&mut self, place: &Place) -> Done<()> {
        let frame = read_header(self.src, place.at)?;
        self.decoder.start_frame();
        if self.is_at_once(&frame, place) {
            self.read_at_once(&frame)
        } else {
            self.read_streamed(&frame)
        }
    }
}

/// The frames that hold something, and how much at most.
fn find_frames(src: &[u8]) -> Done<(Vec<Place>, usize)> {
    let mut frames = Vec::new();
    let mut most = 0_usize;
    let mut at = 0;
    while at < src.len() {
        let magic = number(src, at, 4)? as u32;
        if magic & !15 == SKIPPABLE {
            at = number(src, at + 4, 4)?.checked_add(at + 8).filter(|&end| end <= src.len()).ok_or(Damaged)?;
        } else if magic == MAGIC {
            let (place, size) = measure(src, at)?;
            most = most.saturating_add(size);
            at = place.end;
            frames.push(place);
        } else {
            return Err(Damaged);
        }
    }
    Ok((frames, most))
}

enum Outcome {
    Unpacked(Vec<u8>, usize),
    TooLarge,
}

fn unpack(src: &[u8], limit: usize) -> Done<Outcome> {
    if src.is_empty() || src.len() > INPUT_LIMIT {
        return Err(Damaged);
    }
    // With room for the block that goes beyond the limit.
    let (frames, most) = find_frames(src)?;
    let decoder = Decoder::new(most.min(limit.saturating_add(BLOCK_LIMIT)));
    let mut unpacker = Unpacker { src, decoder, ring: 0, limit };
    for place in &frames {
        unpacker.read_frame(place)?;
        if unpacker.decoder.at > limit {
            return Ok(Outcome::TooLarge);
        }
    }
    Ok(Outcome::Unpacked(unpacker.decoder.out, unpacker.decoder.at))
}

/// Input (`length` bytes): zstd frames. Output: u32 address and u32 length of what they hold; it lies behind the input.
/// Returns 1; 0 when they are damaged; 2 when they hold more than `limit` bytes.
#[no_mangle]
pub extern "C" fn unzstd(length: usize, limit: usize) -> u32 {
    reset_heap(length);
    match unpack(input(length), limit) {
        Ok(Outcome::Unpacked(out, size)) => {
            let mut answer = [0; 8];
            answer[..4].copy_from_slice(&(out.as_ptr() as u32).to_le_bytes());
            answer[4..].copy_from_slice(&(size as u32).to_le_bytes());
            put(&answer);
            1
        }
        Ok(Outcome::TooLarge) => 2,
        Err(Damaged) => 0,
    }
}
