//! What the inline engine and the shadow machine share: verdicts, and how sites and values become findings. The two
//! engines differ in their shadows alone; what counts as a finding and what it is called is decided here.

#![forbid(unsafe_code)]

pub mod demangle;
pub mod describe;
pub mod verdict;
