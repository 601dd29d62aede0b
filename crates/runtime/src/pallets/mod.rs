//! The pallets of our own.

pub mod observer;
pub mod validators;
