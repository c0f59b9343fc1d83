//! Requests that cannot be met, refused before they turn into a crash of the program.

use crate::invocation::{Image, Invocation, Pic};
use thiserror::Error;

/// Why a command line is refused, and what to do instead.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("{option} cannot work with Nonius: its runtime is a shared library. Link without {option}")]
    Static { option: String },
    #[error(
        "{option} cannot work with Nonius: shadow memory lies at a fixed distance from position-independent \
         programs, and one at a fixed address would run into it. Drop {option}"
    )]
    FixedAddress { option: String },
    #[error("{option} cannot work with Nonius: only 64-bit programs have shadows. Drop {option}")]
    Narrow { option: String },
    #[error(
        "target {triple} is not supported: Nonius works on x86-64 Linux with the GNU C library. \
         Use plain clang for this target"
    )]
    Target { triple: String },
    #[error("-fsanitize={name} cannot work with Nonius: {why}. Build once with each, in separate folders")]
    Sanitizer { name: String, why: &'static str },
    #[error(
        "{option} cannot work with Nonius: under LTO its pass runs in the linker, and of the linkers only lld loads it. \
         Drop {option}, or use -fuse-ld=lld"
    )]
    Linker { option: String },
    #[error(
        "{option} cannot work with Nonius: clang loads no pass where it compiles one module of a ThinLTO link. \
         Link in one step with -flto=thin"
    )]
    ThinBackend { option: String },
    #[error(
        "{option} cannot work with Nonius: instrumented code must not be optimized again, and the IR that it leaves would \
         be. Drop {option}; IR for another compile comes from -c -emit-llvm"
    )]
    Bitcode { option: String },
    #[error(
        "{option} cannot work with Nonius when the link is not optimized: the linker's pipeline for it would be left out. \
         Link with -O1 or more"
    )]
    WholeProgram { option: String },
}

const SAME_MEMORY: &str = "both reserve the same part of the address space for shadow memory";
const SAME_JOB: &str = "both shadow every floating-point operation";

/// `None` if Nonius can take part, or has nothing to do.
pub(crate) fn refuse(invocation: &Invocation) -> Option<Refusal> {
    if !invocation.optimizes() && !invocation.links() {
        return refuse_optimizing_again(invocation);
    }
    refuse_target(invocation)
        .or_else(|| refuse_sanitizer(invocation))
        .or_else(|| refuse_address(invocation))
        .or_else(|| refuse_optimizing_again(invocation))
}

/// What would run the optimizer behind the pass, or leave the pass out.
fn refuse_optimizing_again(invocation: &Invocation) -> Option<Refusal> {
    let lto = &invocation.lto;
    if let Some(option) = invocation.thin_backend.clone().filter(|_| invocation.optimizes()) {
        return Some(Refusal::ThinBackend { option });
    }
    if let Some(option) = invocation.embeds_ir.clone().filter(|_| invocation.optimizes()) {
        return Some(Refusal::Bitcode { option });
    }
    if !invocation.starts_linker() {
        return None;
    }
    if let Some(path) = lto.linker_path.as_ref().filter(|_| lto.needs_lld()) {
        return Some(Refusal::Linker { option: format!("--ld-path={path}") });
    }
    if let Some(option) = lto.emits_bitcode.clone() {
        return Some(Refusal::Bitcode { option });
    }
    let option = lto.whole_program.clone().filter(|_| lto.asked && lto.links_unoptimized());
    option.map(|option| Refusal::WholeProgram { option })
}

fn refuse_target(invocation: &Invocation) -> Option<Refusal> {
    if let Some(option) = &invocation.narrow {
        return Some(Refusal::Narrow { option: option.clone() });
    }
    let triple = invocation.target.as_deref()?;
    (!is_supported(triple)).then(|| Refusal::Target { triple: triple.to_owned() })
}

/// `arch[-vendor]-os[-environment]`, where the vendor may be left out as clang allows.
fn is_supported(triple: &str) -> bool {
    let mut parts = triple.split('-');
    let arch = parts.next().unwrap_or_default();
    let rest: Vec<&str> = parts.collect();
    let environment = match rest.as_slice() {
        ["linux"] | [_, "linux"] => "gnu",
        ["linux", environment] | [_, "linux", environment] => environment,
        _ => return false,
    };
    matches!(arch, "x86_64" | "amd64") && environment == "gnu"
}

fn refuse_sanitizer(invocation: &Invocation) -> Option<Refusal> {
    invocation.sanitizers.iter().find_map(|name| {
        let why = match name.as_str() {
            "numerical" => SAME_JOB,
            "address" | "hwaddress" | "kernel-address" | "kernel-hwaddress" | "memory" | "kernel-memory" | "thread"
            | "dataflow" | "type" => SAME_MEMORY,
            _ => return None,
        };
        Some(Refusal::Sanitizer { name: name.clone(), why })
    })
}

fn refuse_address(invocation: &Invocation) -> Option<Refusal> {
    if let Some(Pic::No(option)) = &invocation.pic
        && invocation.optimizes()
    {
        return Some(Refusal::FixedAddress { option: option.clone() });
    }
    if !invocation.links() {
        return None;
    }
    if let Image::NoPie(option) = &invocation.image {
        return Some(Refusal::FixedAddress { option: option.clone() });
    }
    invocation.static_link.as_ref().map(|option| Refusal::Static { option: option.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

    fn refusal(line: &str) -> Option<String> {
        let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        refuse(&Invocation::read(&args)).map(|r| r.to_string())
    }

    #[test]
    fn refuses_what_cannot_work_and_names_the_option() {
        let cases = [
            ("a.c -static", "-static "),
            ("a.o b.o -static-pie -o x", "-static-pie "),
            ("a.c -no-pie", "-no-pie "),
            ("a.o -Wl,-z,now,-no-pie -o x", "-Wl,-z,now,-no-pie "),
            ("a.o -pie -no-pie -o x", "-no-pie "),
            ("-c a.c -fno-pie", "-fno-pie "),
            ("-c a.c -fPIC -fno-PIC", "-fno-PIC "),
            ("-S -emit-llvm a.c -fno-pic", "-fno-pic "),
            ("-m32 -c a.c", "-m32 "),
            ("-flto --ld-path=/usr/bin/mold a.o -o x", "--ld-path=/usr/bin/mold "),
            ("-c -x ir a.bc -fthinlto-index=a.thinlto.bc", "-fthinlto-index=a.thinlto.bc "),
            ("-c -fembed-bitcode a.c", "-fembed-bitcode "),
            ("-flto a.o -fuse-ld=lld -Wl,--lto-emit-llvm -o x.bc", "--lto-emit-llvm "),
            ("-flto=thin -O0 -fsanitize=cfi-vcall a.o -o x", "-fsanitize=cfi-vcall "),
            ("-mx32 a.o -o a", "-mx32 "),
            ("-c a.c --target=aarch64-linux-gnu", "target aarch64-linux-gnu "),
            ("-c a.c -target i686-pc-linux-gnu", "target i686-pc-linux-gnu "),
            ("-c a.c --target=x86_64-linux-musl", "target x86_64-linux-musl "),
            ("-c a.c --target=x86_64-linux-gnux32", "target x86_64-linux-gnux32 "),
            ("-c a.c --target=x86_64-w64-mingw32", "target x86_64-w64-mingw32 "),
            ("-c a.c -arch arm64", "target arm64-apple-darwin "),
            ("-c a.c -fsanitize=undefined,address", "-fsanitize=address "),
            ("a.o -fsanitize=thread", "-fsanitize=thread "),
            ("-c a.c -fsanitize=numerical", "-fsanitize=numerical "),
        ];
        for (line, start) in cases {
            let message = refusal(line).unwrap_or_else(|| panic!("not refused: {line}"));
            assert!(message.starts_with(start), "{line}: {message}");
        }
    }

    #[test]
    fn accepts_the_rest() {
        let cases = [
            "a.c",
            "--version -static",
            "-static",
            "-c a.c -static", // says nothing about this object; the link is refused
            "-c a.c -no-pie",
            "a.o -no-pie -pie -o x",
            "-shared -no-pie a.o -o liba.so",
            "-r -no-pie a.o b.o -o c.o",
            "-c a.c -fno-pic -fPIC",
            "-c a.s -fno-pic",
            "-E -m32 a.c",
            "-m32 -m64 -c a.c",
            "-fsyntax-only --target=wasm32 a.c",
            "-c a.c --target=x86_64-linux-gnu",
            "-c a.c --target=x86_64-pc-linux-gnu",
            "-c a.c -target x86_64-unknown-linux",
            "-c a.c --target=wasm32 --target=x86_64-linux-gnu",
            "-c a.c -fsanitize=undefined,float-divide-by-zero",
            "-c a.c -fsanitize=address -fno-sanitize=address",
            "-c a.c -fsanitize=address,memory -fno-sanitize=all",
            "a.c -Wl,-Bstatic -lfoo -Wl,-Bdynamic -static-libgcc -static-libstdc++",
            "-o -static a.c",
        ];
        for line in cases {
            assert_eq!(refusal(line), None, "{line}");
        }
    }
}
