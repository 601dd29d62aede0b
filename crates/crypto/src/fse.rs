//! Finite state entropy (RFC 8878 §4.1), and the streams of bits that are read from their end.

pub struct Damaged;
pub type Done<T> = Result<T, Damaged>;

/// Unread bits `start` to `at` of `src`, counted from its first bit; the upper ones come first.
pub struct Bits<'a> {
    src: &'a [u8],
    start: usize,
    at: usize,
}

impl<'a> Bits<'a> {
    /// The stream in `src[from..to]`; the highest one of its last byte ends it. At least 8 bytes of `src` lie before it.
    pub fn new(src: &'a [u8], from: usize, to: usize) -> Done<Self> {
        if from < 8 || from >= to || to > src.len() || src[to - 1] == 0 {
            return Err(Damaged);
        }
        Ok(Self { src, start: from * 8, at: to * 8 - 1 - src[to - 1].leading_zeros() as usize })
    }

    /// The next 57 bits or more, the next one on top; what lies before the stream follows. An error when more bits were
    /// taken than there were: so take at most 57 from one window.
    #[inline(always)]
    pub fn window(&self) -> Done<u64> {
        if self.at < self.start {
            return Err(Damaged);
        }
        let end = (self.at + 7) >> 3;
        let word: [u8; 8] = self.src[end - 8..end].try_into().unwrap();
        Ok(u64::from_le_bytes(word) << (end * 8 - self.at))
    }

    /// Takes bits off a window.
    #[inline(always)]
    pub fn take(&mut self, window: &mut u64, count: u32) -> usize {
        let value = (*window >> 1) >> (63 - count);
        *window <<= count;
        self.at -= count as usize;
        value as usize
    }

    pub fn drop(&mut self, count: usize) {
        self.at -= count;
    }

    pub fn is_done(&self) -> bool {
        self.at == self.start
    }

    pub fn is_over(&self) -> bool {
        self.at < self.start
    }
}

#[derive(Clone, Copy)]
pub struct Entry {
    pub symbol: u8,
    /// Bits to read for the next state, which begins at `next`.
    pub bits: u8,
    pub next: u16,
}

pub struct Table {
    pub entries: [Entry; 512],
    /// The table has 1 << `log` entries; `u32::MAX` where there is none yet.
    pub log: u32,
}

impl Table {
    pub fn empty() -> Self {
        Self { entries: [Entry { symbol: 0, bits: 0, next: 0 }; 512], log: u32::MAX }
    }

    /// Spreads the symbols over the states (RFC 8878 §4.1.1); the counts add up to 1 << `log`.
    #[inline(never)]
    fn build(&mut self, counts: &[i16], log: u32) {
        let size = 1_usize << log;
        let mut next = [0_u16; 256];
        let mut high = size;
        for (symbol, &count) in counts.iter().enumerate() {
            if count == -1 {
                high -= 1;
                self.entries[high].symbol = symbol as u8;
            }
            next[symbol] = count.unsigned_abs();
        }
        let step = (size >> 1) + (size >> 3) + 3;
        let mut at = 0;
        for (symbol, &count) in counts.iter().enumerate() {
            for _ in 0..count.max(0) {
                self.entries[at].symbol = symbol as u8;
                at = (at + step) & (size - 1);
                while at >= high {
                    at = (at + step) & (size - 1);
                }
            }
        }
        for entry in &mut self.entries[..size] {
            let rank = &mut next[entry.symbol as usize];
            let bits = log - rank.ilog2();
            entry.bits = bits as u8;
            entry.next = ((*rank as usize) << bits).wrapping_sub(size) as u16;
            *rank += 1;
        }
        self.log = log;
    }
}

/// Bits from the lowest of the first byte on; zeros behind the end.
struct Upward<'a> {
    src: &'a [u8],
    at: usize,
}

impl Upward<'_> {
    fn peek(&self, count: u32) -> usize {
        let byte = |index: usize| self.src.get(self.at / 8 + index).copied().unwrap_or(0) as usize;
        let word = byte(0) | byte(1) << 8 | byte(2) << 16;
        word >> (self.at % 8) & ((1 << count) - 1)
    }
    fn take(&mut self, count: u32) -> usize {
        let value = self.peek(count);
        self.at += count as usize;
        value
    }
}

/// Reads the description of a table from `src[at..end]`, and answers the offset after it.
pub fn read_counts(
    table: &mut Table,
    largest_log: u32,
    largest: usize,
    src: &[u8],
    at: usize,
    end: usize,
) -> Done<usize> {
    let mut bits = Upward { src: src.get(at..end).ok_or(Damaged)?, at: 0 };
    let log = bits.take(4) as u32 + 5;
    if log > largest_log {
        return Err(Damaged);
    }
    let mut counts = [0_i16; 256];
    let mut left = (1 << log) + 1;
    let mut half = 1 << log;
    let mut width = log + 1;
    let mut symbol = 0;
    while left > 1 {
        if symbol > largest {
            return Err(Damaged);
        }
        let short = 2 * half - 1 - left;
        let mut value = bits.peek(width - 1);
        if value < short {
            bits.take(width - 1);
        } else {
            value = bits.take(width);
            if value >= half {
                value -= short;
            }
        }
        let count = value as i16 - 1;
        left = left.checked_sub(count.unsigned_abs() as usize).ok_or(Damaged)?;
        counts[symbol] = count;
        symbol += 1;
        if count == 0 {
            loop {
                let zeros = bits.take(2);
                symbol += zeros;
                if zeros < 3 {
                    break;
                }
                if symbol > largest {
                    return Err(Damaged);
                }
            }
        }
        while left < half && half > 1 {
            width -= 1;
            half >>= 1;
        }
    }
    let next = at + bits.at.div_ceil(8);
    if left != 1 || symbol > largest + 1 || next > end {
        return Err(Damaged);
    }
    table.build(&counts[..symbol], log);
    Ok(next)
}

/// One of the three tables of a block, by its mode: given beforehand, one symbol, described here, or that of the block
/// before. Answers the offset after it.
#[allow(clippy::too_many_arguments)]
pub fn read_table(
    table: &mut Table,
    mode: usize,
    given: (&[i16], u32),
    largest_log: u32,
    largest: usize,
    src: &[u8],
    at: usize,
    end: usize,
) -> Done<usize> {
    match mode {
        0 => {
            table.build(given.0, given.1);
            Ok(at)
        }
        1 => {
            let symbol = *src[..end].get(at).ok_or(Damaged)?;
            if symbol as usize > largest {
                return Err(Damaged);
            }
            table.entries[0] = Entry { symbol, bits: 0, next: 0 };
            table.log = 0;
            Ok(at + 1)
        }
        2 => read_counts(table, largest_log, largest, src, at, end),
        _ if table.log == u32::MAX => Err(Damaged),
        _ => Ok(at),
    }
}
