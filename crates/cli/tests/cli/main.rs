//! The real `nonius` command on real clang. The plugin and the runtime are stand-ins that do
//! nothing to the program: what they do is tested by the corpus, how they get there is tested here.

mod build;
mod command_line;
mod configure;
mod describe;
mod flags;
mod home;
mod kept;
mod refusal;
mod report;
mod run;
