//! Words grouped into options and inputs, as clang's own parser groups them.

use crate::response_file::Word;

/// An option with its value if that is a word of its own, or an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Item<'a> {
    Option {
        name: &'a str,
        value: Option<&'a str>,
    },
    Input(&'a str),
    /// `--`: only inputs follow.
    DoubleDash,
}

/// Options that take the next word as their value, so that it is neither an option nor an input.
/// The list is what clang 22 and flang 22 answer "argument is missing" to on Linux when the word is left out.
/// Most of them also take the value in the same word; such a word is an option without a value here.
const TAKES_NEXT_WORD: &[&str] = &[
    "--analyzer-output",
    "--assert",
    "--config",
    "--define-macro",
    "--dyld-prefix",
    "--for-linker",
    "--force-link",
    "--imacros",
    "--include",
    "--include-directory",
    "--include-directory-after",
    "--include-prefix",
    "--include-with-prefix",
    "--include-with-prefix-after",
    "--include-with-prefix-before",
    "--language",
    "--library-directory",
    "--mhwdiv",
    "--no-system-header-prefix",
    "--output",
    "--param",
    "--prefix",
    "--print-file-name",
    "--print-prog-name",
    "--resource",
    "--rtlib",
    "--serialize-diagnostics",
    "--specs",
    "--std",
    "--sysroot",
    "--system-header-prefix",
    "--undefine-macro",
    "--vfsoverlay",
    "-A",
    "-B",
    "-D",
    "-F",
    "-G",
    "-I",
    "-J",
    "-L",
    "-MF",
    "-MJ",
    "-MQ",
    "-MT",
    "-T",
    "-U",
    "-V",
    "-Xanalyzer",
    "-Xassembler",
    "-Xclang",
    "-Xclangas",
    "-Xflang",
    "-Xcuda-fatbinary",
    "-Xcuda-ptxas",
    "-Xlinker",
    "-Xoffload-linker",
    "-Xopenmp-target",
    "-Xpreprocessor",
    "-Zlinker-input",
    "-arch",
    "-b",
    "-ccc-gcc-name",
    "-ccc-install-dir",
    "-cxx-isystem",
    "-dependency-dot",
    "-dependency-file",
    "-dumpdir",
    "-e",
    "-fdebug-compilation-dir",
    "-fexperimental-openacc-macro-override",
    "-filelist",
    "-fmodules-user-build-path",
    "-framework",
    "-ftrapv-handler",
    "-gen-cdb-fragment-path",
    "-iapinotes-modules",
    "-idirafter",
    "-iframework",
    "-iframeworkwithsysroot",
    "-imacros",
    "-imultilib",
    "-include",
    "-include-pch",
    "-init",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-isystem-after",
    "-ivfsoverlay",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-iwithsysroot",
    "-l",
    "-meabi",
    "-mllvm",
    "-mmlir",
    "-module-dependency-dir",
    "-module-dir",
    "-mthread-model",
    "-o",
    "-resource-dir",
    "-rpath",
    "-serialize-diagnostics",
    "-specs",
    "-stdlib++-isystem",
    "-target",
    "-u",
    "-undefined",
    "-vfsoverlay",
    "-working-directory",
    "-x",
    "-z",
];

fn takes_next_word(option: &str) -> bool {
    TAKES_NEXT_WORD.contains(&option) || option.starts_with("-Xarch_")
}

/// Groups all words. A value that is missing is clang's to complain about.
pub(crate) fn group(words: &[Word]) -> Vec<Item<'_>> {
    let mut items = Vec::with_capacity(words.len());
    let mut rest = words.iter().map(|w| w.text.as_str());
    while let Some(word) = rest.next() {
        match word {
            "--" => {
                items.push(Item::DoubleDash);
                items.extend(rest.by_ref().map(Item::Input));
            }
            "" => {}
            "-" => items.push(Item::Input(word)),
            _ if !word.starts_with('-') => items.push(Item::Input(word)),
            _ => {
                let value = if takes_next_word(word) { rest.next() } else { None };
                items.push(Item::Option { name: word, value });
            }
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use Item::{DoubleDash, Input};

    fn words(line: &str) -> Vec<Word> {
        line.split(' ').map(|w| Word { text: w.to_owned(), from_file: false }).collect()
    }

    fn option(name: &str) -> Item<'_> {
        Item::Option { name, value: None }
    }

    #[test]
    fn a_value_is_not_an_input() {
        let line = words("-o a.c -I -c -Xclang -load b.c -MF d.c -oc.o -");
        let expected = [
            Item::Option { name: "-o", value: Some("a.c") },
            Item::Option { name: "-I", value: Some("-c") },
            Item::Option { name: "-Xclang", value: Some("-load") },
            Input("b.c"),
            Item::Option { name: "-MF", value: Some("d.c") },
            option("-oc.o"),
            Input("-"),
        ];
        assert_eq!(group(&line), expected);
    }

    #[test]
    fn only_inputs_follow_a_double_dash() {
        assert_eq!(
            group(&words("-c -- -o --nonius-help a.c")),
            [option("-c"), DoubleDash, Input("-o"), Input("--nonius-help"), Input("a.c")]
        );
    }

    #[test]
    fn a_missing_value_is_left_to_clang() {
        assert_eq!(group(&words("a.c -o")), [Input("a.c"), option("-o")]);
    }
}
