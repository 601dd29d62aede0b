//! Huffman codes of literals (RFC 8878 §4.2).
use crate::fse::{read_counts, Bits, Damaged, Done, Table};

/// RFC 8878 has no code longer than 11 bits; libzstd reads one more.
const LONGEST: u32 = 12;

pub struct Tree {
    /// By the next `bits` bits: the symbol in the upper byte, the length of its code in the lower.
    codes: [u16; 1 << LONGEST],
    /// Length of the longest code; 0 where there is no tree yet.
    pub bits: u32,
}

impl Tree {
    pub fn empty() -> Self {
        Self { codes: [0; 1 << LONGEST], bits: 0 }
    }

    /// Fills `out` from the stream in `src[from..to]`.
    #[inline(never)]
    pub fn decode(&self, src: &[u8], from: usize, to: usize, out: &mut [u8]) -> Done<()> {
        match self.bits {
            0 => Err(Damaged),
            LONGEST => self.decode_by::<4>(src, from, to, out),
            _ => self.decode_by::<5>(src, from, to, out),
        }
    }

    /// So many symbols from each window; their codes have 57 bits at most.
    fn decode_by<const SYMBOLS: usize>(&self, src: &[u8], from: usize, to: usize, out: &mut [u8]) -> Done<()> {
        let mut bits = Bits::new(src, from, to)?;
        let shift = 64 - self.bits;
        let mut groups = out.chunks_exact_mut(SYMBOLS);
        for group in &mut groups {
            let mut window = bits.window()?;
            let mut used = 0;
            for slot in group {
                let code = self.codes[(window >> shift) as usize & (self.codes.len() - 1)];
                window <<= code & 15;
                used += (code & 15) as usize;
                *slot = (code >> 8) as u8;
            }
            bits.drop(used);
        }
        let mut window = bits.window()?;
        for slot in groups.into_remainder() {
            let code = self.codes[(window >> shift) as usize & (self.codes.len() - 1)];
            window <<= code & 15;
            bits.drop((code & 15) as usize);
            *slot = (code >> 8) as u8;
        }
        if bits.is_done() {
            Ok(())
        } else {
            Err(Damaged)
        }
    }
}

/// Weights packed with two interleaved states.
fn read_packed(weights: &mut [u8; 256], src: &[u8], at: usize, end: usize) -> Done<usize> {
    let mut table = Table::empty();
    let from = read_counts(&mut table, 6, 255, src, at, end)?;
    let mut bits = Bits::new(src, from, end)?;
    let mut window = bits.window()?;
    let mut states = [bits.take(&mut window, table.log), bits.take(&mut window, table.log)];
    let mut count = 0;
    loop {
        let now = count & 1;
        let entry = table.entries[states[now] & 63];
        *weights.get_mut(count).ok_or(Damaged)? = entry.symbol;
        count += 1;
        let mut window = bits.window()?;
        states[now] = entry.next as usize + bits.take(&mut window, entry.bits as u32);
        if bits.is_over() {
            *weights.get_mut(count).ok_or(Damaged)? = table.entries[states[1 - now] & 63].symbol;
            return Ok(count + 1);
        }
    }
}

/// Reads a tree from `src[at..end]`; answers the offset after it.
pub fn read_tree(tree: &mut Tree, src: &[u8], at: usize, end: usize) -> Done<usize> {
    let head = *src[..end].get(at).ok_or(Damaged)? as usize;
    let at = at + 1;
    let mut weights = [0_u8; 256];
    let (count, next) = if head < 128 {
        let next = at + head;
        if next > end {
            return Err(Damaged);
        }
        (read_packed(&mut weights, src, at, next)?, next)
    } else {
        let count = head - 127;
        let packed = src[..end].get(at..at + count.div_ceil(2)).ok_or(Damaged)?;
        for (index, weight) in weights[..count].iter_mut().enumerate() {
            *weight = packed[index / 2] >> (4 - index % 2 * 4) & 15;
        }
        (count, at + packed.len())
    };
    build(tree, &mut weights, count)?;
    Ok(next)
}

/// Fills the table; the last weight is what is missing to a power of two.
fn build(tree: &mut Tree, weights: &mut [u8; 256], count: usize) -> Done<()> {
    let mut sum = 0_usize;
    for &weight in &weights[..count] {
        if weight as u32 > LONGEST {
            return Err(Damaged);
        }
        sum += (1 << weight) >> 1;
    }
    if sum == 0 || count > 255 {
        return Err(Damaged);
    }
    let bits = sum.ilog2() + 1;
    let missing = (1 << bits) - sum;
    if bits > LONGEST || !missing.is_power_of_two() {
        return Err(Damaged);
    }
    weights[count] = missing.ilog2() as u8 + 1;
    // A tree has at least two leaves at its bottom.
    if weights[..=count].iter().filter(|&&weight| weight == 1).count() < 2 {
        return Err(Damaged);
    }
    let mut at = 0;
    for weight in 1..=bits {
        let length = bits + 1 - weight;
        for (symbol, _) in weights[..=count].iter().enumerate().filter(|(_, &own)| own as u32 == weight) {
            let end = at + (1 << (weight - 1));
            tree.codes[at..end].fill((symbol as u16) << 8 | length as u16);
            at = end;
        }
    }
    tree.bits = bits;
    Ok(())
}
