/// Compiles one file of C to an archive and has it linked.
fn native_build(source: &Path, name: &str) {
    let target = std::env::var("TARGET").expect("set by cargo");
    let named = [format!("CC_{target}"), format!("CC_{}", target.replace('-', "_")), "HOST_CC".into(), "CC".into()];
    let compiler = named.iter().find_map(std::env::var_os).unwrap_or_else(|| "cc".into());
    let out = std::env::var("OUT_DIR").expect("set by cargo");
    let (object, archive) = (format!("{out}/{name}.o"), format!("{out}/lib{name}.a"));
    let run = |command: &mut Command| assert!(command.status().expect("it starts").success());
    run(Command::new(&compiler).args(["-g", "-O1", "-fPIC", "-c", "-o", &object]).arg(source));
    run(Command::new("ar").args(["crs", &archive, &object]));
    println!("cargo::rustc-link-search=native={out}");
    println!("cargo::rustc-link-lib=static={name}");
}
