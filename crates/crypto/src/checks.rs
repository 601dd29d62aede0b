//! The code that the fuel patch puts into a module.
use alloc::vec::Vec;

/// A place in the code section where a check goes.
#[derive(Clone, Copy)]
pub struct Place {
    pub at: u32,
    pub check: Check,
    /// Of a fuel check; at most a few units, so one byte.
    pub cost: u8,
}

#[derive(Clone, Copy)]
pub enum Check {
    Fuel,
    Grow,
}

/// The code of the checks. That of fuel comes in two parts; its cost goes between.
pub struct Checks {
    pub fuel: [&'static [u8]; 2],
    pub grow: &'static [u8],
}

impl Checks {
    pub fn length(&self, check: Check) -> usize {
        match check {
            Check::Fuel => self.fuel[0].len() + 1 + self.fuel[1].len(),
            Check::Grow => self.grow.len(),
        }
    }

    pub fn write(&self, out: &mut Vec<u8>, place: Place) {
        match place.check {
            Check::Fuel => {
                out.extend_from_slice(self.fuel[0]);
                out.push(place.cost);
                out.extend_from_slice(self.fuel[1]);
            }
            Check::Grow => out.extend_from_slice(self.grow),
        }
    }
}
