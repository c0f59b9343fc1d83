//! A thin safe face over LLVM's C interface: the only room of the pass with `unsafe`.
//!
//! Handles are plain copies of LLVM's pointers. They stay valid for the whole run of the pass,
//! because the pass never erases a function, block or instruction while a handle to it is kept
//! (instructions that are replaced are erased by [`Value::erase`] as the last use of the handle).
//! Methods that only make sense for some values say so; LLVM's own assertions are off in release
//! builds, so the callers check with `opcode()` or `kind` predicates first.

mod block;
mod build;
mod debug;
mod function;
mod global;
mod look;
mod ty;
mod value;

pub use block::Block;
pub use build::Builder;
pub use debug::{BY_NAME, DebugLoc, Place};
pub use llvm_sys::LLVMOpcode as Opcode;
pub use llvm_sys::{LLVMIntPredicate as IntPredicate, LLVMLinkage as Linkage, LLVMRealPredicate as RealPredicate};
pub use look::Look;
pub use ty::{Kind, Type};
pub use value::Value;

use llvm_sys::prelude::*;
use llvm_sys::{core, target};
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};

unsafe extern "C" {
    fn nonius_split_if(condition: LLVMValueRef, before: LLVMValueRef) -> LLVMValueRef;
    fn nonius_split_loop(count: LLVMValueRef, before: LLVMValueRef, index: *mut LLVMValueRef) -> LLVMValueRef;
    fn nonius_split_if_else(
        condition: LLVMValueRef,
        before: LLVMValueRef,
        then: *mut LLVMValueRef,
        otherwise: *mut LLVMValueRef,
    );
    fn nonius_is_library_function(function: LLVMValueRef) -> bool;
    fn nonius_split_edge(from: LLVMBasicBlockRef, to: LLVMBasicBlockRef) -> LLVMBasicBlockRef;
    fn nonius_append_ctor(module: LLVMModuleRef, function: LLVMValueRef, priority: c_int);
    fn nonius_append_used(module: LLVMModuleRef, global: LLVMValueRef);
    fn nonius_append_dtor(module: LLVMModuleRef, function: LLVMValueRef, priority: c_int);
    fn nonius_location_function(location: LLVMMetadataRef, len: *mut usize) -> *const c_char;
    fn nonius_location_function_line(location: LLVMMetadataRef) -> c_uint;
    fn nonius_note_place(instruction: LLVMValueRef, by_name: bool);
    fn nonius_noted_place(instruction: LLVMValueRef, texts: *mut *const c_char, lengths: *mut usize) -> bool;
    fn nonius_split_returns(function: LLVMValueRef, most_ways: c_uint);
    fn nonius_move_lines(module: LLVMModuleRef, file: *const c_char, by: i64, columns: *const c_uint, lines: usize);
    fn nonius_fold(instruction: LLVMValueRef, operands: *mut LLVMValueRef, count: c_uint) -> LLVMValueRef;
    fn nonius_subprogram(
        function: LLVMValueRef,
        file: *const c_char,
        len: *mut usize,
        line: *mut c_uint,
    ) -> *const c_char;
    fn nonius_is_same_operation(a: LLVMValueRef, b: LLVMValueRef) -> bool;
    fn nonius_copy(builder: LLVMBuilderRef, from: LLVMValueRef) -> LLVMValueRef;
    fn nonius_builder_point(builder: LLVMBuilderRef) -> LLVMValueRef;
    fn nonius_take_body(to: LLVMValueRef, from: LLVMValueRef);
    fn nonius_comes_before(i: LLVMValueRef, other: LLVMValueRef) -> bool;
    fn nonius_move_before(instruction: LLVMValueRef, before: LLVMValueRef);
    fn nonius_forbid_contract(instruction: LLVMValueRef);
    fn nonius_base_and_offset(pointer: LLVMValueRef, offset: *mut i64) -> LLVMValueRef;
    fn nonius_forward_constant_uses(function: LLVMValueRef);
    fn nonius_forget_memory_effects(module: LLVMModuleRef);
    fn nonius_clone_function(function: LLVMValueRef) -> LLVMValueRef;
    fn nonius_hand_on(builder: LLVMBuilderRef, to: LLVMValueRef, must: bool) -> LLVMValueRef;
    fn nonius_delete_function(function: LLVMValueRef);
    fn nonius_look_begin(function: LLVMValueRef) -> *mut c_void;
    fn nonius_look_function(look: *mut c_void) -> LLVMValueRef;
    fn nonius_inline_call(call: LLVMValueRef) -> bool;
    fn nonius_look_promote(look: *mut c_void);
    fn nonius_look_pairs(
        look: *mut c_void,
        tell: unsafe extern "C" fn(*mut c_void, LLVMValueRef, LLVMValueRef),
        to: *mut c_void,
    );
    fn nonius_look_end(look: *mut c_void);
    fn nonius_set_number(instruction: LLVMValueRef, number: u32);
    fn nonius_number(instruction: LLVMValueRef) -> u32;
    fn nonius_base(module: LLVMModuleRef, pointer: LLVMValueRef, offset: *mut i64) -> LLVMValueRef;
    fn nonius_significant_bits(module: LLVMModuleRef, value: LLVMValueRef, signed: bool) -> u32;
    fn nonius_constant_bits(value: LLVMValueRef, bits: *mut u64) -> bool;
    fn nonius_register(pass_builder: *mut std::ffi::c_void);
}

/// What the host compiler asks a plugin for; laid out as in `llvm/Plugins/PassPlugin.h`.
#[repr(C)]
pub struct PassPluginLibraryInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: unsafe extern "C" fn(*mut std::ffi::c_void),
    pre_codegen: Option<unsafe extern "C" fn()>,
}

/// The plugin's entry point. In Rust, because a C++ function would not be exported from a cdylib.
#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> PassPluginLibraryInfo {
    PassPluginLibraryInfo {
        api_version: 2,
        name: c"nonius".as_ptr(),
        version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
        register: nonius_register,
        pre_codegen: None,
    }
}

/// Called by the shim for each module where its optimization ends, at whatever level. Says whether the module changed.
#[unsafe(no_mangle)]
extern "C" fn nonius_run_on_module(module: LLVMModuleRef, in_link: bool, unoptimized: bool) -> bool {
    crate::run(Module(module), in_link, unoptimized)
}

/// Called by the shim for each module that a link will optimize again. Says whether the module changed.
#[unsafe(no_mangle)]
extern "C" fn nonius_before_link(module: LLVMModuleRef) -> bool {
    crate::before_link(Module(module))
}

/// Called by the shim for each module of a link before it is optimized. Says whether the module changed.
#[unsafe(no_mangle)]
extern "C" fn nonius_link_starts(module: LLVMModuleRef) -> bool {
    crate::mark::keep_apart(Module(module))
}

/// Called by the shim before anything is optimized, or all that `unoptimized` code gets. Says whether the module changed.
#[unsafe(no_mangle)]
extern "C" fn nonius_before_pipeline(module: LLVMModuleRef, unoptimized: bool) -> bool {
    crate::before_pipeline(Module(module), unoptimized)
}

/// Called by the shim for each function before LLVM's vectorizers see it. Says whether the function
/// is now compiled for wider vectors.
#[unsafe(no_mangle)]
extern "C" fn nonius_before_vectorizers(module: LLVMModuleRef, function: LLVMValueRef) -> bool {
    crate::before_vectorizers(Module(module), Value::new(function))
}

/// Called by the shim before single operations of a function become lanes of vectors. Says whether they may.
#[unsafe(no_mangle)]
extern "C" fn nonius_may_join_lanes(function: LLVMValueRef) -> bool {
    crate::may_join_lanes(Value::new(function))
}

#[derive(Clone, Copy, Debug)]
pub struct Module(LLVMModuleRef);

fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).expect("no zero bytes are left")
}

/// A string that LLVM owns.
///
/// SAFETY of the callers: `ptr` points to `len` bytes that outlive the copy made here.
unsafe fn copy_text(ptr: *const c_char, len: usize) -> String {
    if ptr.is_null() {
        return String::new();
    }
    // SAFETY: by the contract above.
    let bytes = unsafe { std::slice::from_raw_parts(ptr.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}

impl Module {
    fn context(self) -> LLVMContextRef {
        // SAFETY: the module is alive for the whole run.
        unsafe { core::LLVMGetModuleContext(self.0) }
    }

    pub fn builder(self) -> Builder {
        Builder::new(self)
    }

    pub fn target_triple(self) -> String {
        // SAFETY: LLVM returns a zero-terminated string that the module owns.
        unsafe { CStr::from_ptr(core::LLVMGetTarget(self.0)).to_string_lossy().into_owned() }
    }

    /// All functions, declarations too.
    pub fn functions(self) -> Vec<Value> {
        // SAFETY: walks the module's list; each function is alive.
        list(unsafe { core::LLVMGetFirstFunction(self.0) }, |f| unsafe { core::LLVMGetNextFunction(f) })
    }

    /// Other names of functions and variables.
    pub fn aliases(self) -> Vec<Value> {
        // SAFETY: walks the module's lists; each alias is alive.
        let aliases =
            list(unsafe { core::LLVMGetFirstGlobalAlias(self.0) }, |a| unsafe { core::LLVMGetNextGlobalAlias(a) });
        // SAFETY: the same for functions that are chosen when the object is loaded.
        let chosen =
            list(unsafe { core::LLVMGetFirstGlobalIFunc(self.0) }, |f| unsafe { core::LLVMGetNextGlobalIFunc(f) });
        aliases.into_iter().chain(chosen).collect()
    }

    /// All global variables, declarations too.
    pub fn globals(self) -> Vec<Value> {
        // SAFETY: walks the module's list; each variable is alive.
        list(unsafe { core::LLVMGetFirstGlobal(self.0) }, |g| unsafe { core::LLVMGetNextGlobal(g) })
    }

    pub fn global(self, name: &str) -> Option<Value> {
        let name = c_string(name);
        // SAFETY: `name` lives through the call.
        Value::from_nullable(unsafe { core::LLVMGetNamedGlobal(self.0, name.as_ptr()) })
    }

    pub fn function(self, name: &str) -> Option<Value> {
        let name = c_string(name);
        // SAFETY: `name` lives through the call.
        Value::from_nullable(unsafe { core::LLVMGetNamedFunction(self.0, name.as_ptr()) })
    }

    /// The function of that name, declared if it was not there.
    pub fn declare(self, name: &str, ty: Type) -> Value {
        self.function(name).unwrap_or_else(|| {
            let name = c_string(name);
            // SAFETY: `ty` is a function type of this context.
            Value::new(unsafe { core::LLVMAddFunction(self.0, name.as_ptr(), ty.0) })
        })
    }

    /// A global of that type; set-up beyond this is on [`Value`].
    pub fn add_global(self, name: &str, ty: Type) -> Value {
        let name = c_string(name);
        // SAFETY: `ty` is a type of this context.
        Value::new(unsafe { core::LLVMAddGlobal(self.0, ty.0, name.as_ptr()) })
    }

    pub fn append_constructor(self, function: Value, priority: i32) {
        // SAFETY: `function` is a function of this module.
        unsafe { nonius_append_ctor(self.0, function.0, priority) }
    }

    /// Keeps a global that nothing refers to, in the link too.
    pub fn append_used(self, global: Value) {
        // SAFETY: `global` is a global of this module.
        unsafe { nonius_append_used(self.0, global.0) }
    }

    pub fn append_destructor(self, function: Value, priority: i32) {
        // SAFETY: `function` is a function of this module.
        unsafe { nonius_append_dtor(self.0, function.0, priority) }
    }

    pub fn intrinsic(self, name: &str, overloads: &[Type]) -> (Value, Type) {
        let mut types: Vec<LLVMTypeRef> = overloads.iter().map(|t| t.0).collect();
        // SAFETY: the name is handed with its length; the types are of this context.
        unsafe {
            let id = core::LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            assert!(id != 0, "LLVM has no intrinsic {name}");
            let declaration = core::LLVMGetIntrinsicDeclaration(self.0, id, types.as_mut_ptr(), types.len());
            let ty = core::LLVMIntrinsicGetType(self.context(), id, types.as_mut_ptr(), types.len());
            (Value::new(declaration), Type::new(ty))
        }
    }

    /// The file that the module was compiled from.
    pub fn source_file(self) -> String {
        let mut len = 0;
        // SAFETY: LLVM returns a pointer to `len` bytes that the module owns.
        unsafe {
            let text = core::LLVMGetSourceFileName(self.0, &mut len);
            copy_text(text, len)
        }
    }

    fn layout(self) -> target::LLVMTargetDataRef {
        // SAFETY: the module owns its data layout.
        unsafe { target::LLVMGetModuleDataLayout(self.0) }
    }

    /// The most bits that the magnitude of an integer can take, as far as its making tells; zeros
    /// at its end do not count.
    pub fn significant_bits(self, integer: Value, signed: bool) -> u32 {
        // SAFETY: an integer or a vector of integers of this module.
        unsafe { nonius_significant_bits(self.0, integer.0, signed) }
    }

    pub fn store_bytes(self, ty: Type) -> u64 {
        // SAFETY: `ty` is a sized type of this context.
        unsafe { target::LLVMStoreSizeOfType(self.layout(), ty.0) }
    }

    pub fn alloc_bytes(self, ty: Type) -> u64 {
        // SAFETY: `ty` is a sized type of this context.
        unsafe { target::LLVMABISizeOfType(self.layout(), ty.0) }
    }

    pub fn field_offset(self, structure: Type, index: u32) -> u64 {
        // SAFETY: `structure` is a sized struct type with more than `index` fields.
        unsafe { target::LLVMOffsetOfElement(self.layout(), structure.0, index) }
    }

    /// Functions that were known not to touch memory do so now: link-time optimization must not
    /// rely on it.
    pub fn forget_memory_effects(self) {
        // SAFETY: only attributes are removed.
        unsafe { nonius_forget_memory_effects(self.0) }
    }

    /// The object that a pointer is a constant number of bytes away from, and that number.
    pub fn base_and_offset(self, pointer: Value) -> (Value, i64) {
        let mut offset = 0;
        // SAFETY: a pointer of this module; the shim writes the one number.
        let base = unsafe { nonius_base(self.0, pointer.0, &mut offset) };
        (Value::new(base), offset)
    }

    /// The type's own constructors.
    pub fn types(self) -> Types {
        Types(self.context())
    }

    /// LLVM's own complaint about the function, if its IR is malformed.
    pub fn verify(function: Value) -> bool {
        use llvm_sys::analysis::{LLVMVerifierFailureAction::LLVMPrintMessageAction, LLVMVerifyFunction};
        // SAFETY: `function` is a function; nothing is changed.
        unsafe { LLVMVerifyFunction(function.0, LLVMPrintMessageAction) == 0 }
    }
}

fn list(first: LLVMValueRef, next: impl Fn(LLVMValueRef) -> LLVMValueRef) -> Vec<Value> {
    let mut all = Vec::new();
    let mut at = first;
    while !at.is_null() {
        all.push(Value::new(at));
        at = next(at);
    }
    all
}

/// Types of one context.
#[derive(Clone, Copy, Debug)]
pub struct Types(LLVMContextRef);

macro_rules! simple_types {
    ($($name:ident = $function:ident;)*) => {
        impl Types {
            $(pub fn $name(self) -> Type {
                // SAFETY: the context is alive for the whole run.
                Type::new(unsafe { core::$function(self.0) })
            })*
        }
    };
}
simple_types! {
    void = LLVMVoidTypeInContext;
    i1 = LLVMInt1TypeInContext;
    i8 = LLVMInt8TypeInContext;
    i16 = LLVMInt16TypeInContext;
    i32 = LLVMInt32TypeInContext;
    i64 = LLVMInt64TypeInContext;
    half = LLVMHalfTypeInContext;
    bfloat = LLVMBFloatTypeInContext;
    float = LLVMFloatTypeInContext;
    double = LLVMDoubleTypeInContext;
    x87 = LLVMX86FP80TypeInContext;
    quad = LLVMFP128TypeInContext;
}

impl Types {
    pub fn int(self, bits: u32) -> Type {
        // SAFETY: the context is alive; `bits` is within LLVM's limit for every caller.
        Type::new(unsafe { core::LLVMIntTypeInContext(self.0, bits) })
    }

    pub fn ptr(self) -> Type {
        // SAFETY: the context is alive for the whole run.
        Type::new(unsafe { core::LLVMPointerTypeInContext(self.0, 0) })
    }

    pub fn function(self, result: Type, arguments: &[Type]) -> Type {
        let mut arguments: Vec<LLVMTypeRef> = arguments.iter().map(|t| t.0).collect();
        // SAFETY: all types are of one context.
        Type::new(unsafe { core::LLVMFunctionType(result.0, arguments.as_mut_ptr(), arguments.len() as u32, 0) })
    }
}
