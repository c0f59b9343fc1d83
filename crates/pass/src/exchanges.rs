//! Loops that compare and exchange until it succeeds: LLVM merges the pairs of two `cmpxchg` in a
//! phi. A phi for each member lets the value in the pair carry its shadow, as any other does.

use crate::llvm::{Module, Opcode, Value};

pub fn unpack(module: Module, function: Value) {
    for block in function.blocks() {
        let phis = block.instructions().into_iter().take_while(|i| i.is(Opcode::LLVMPHI));
        phis.filter(|phi| is_of_exchanges(*phi)).for_each(|phi| split(module, phi));
    }
}

fn is_of_exchanges(phi: Value) -> bool {
    phi.phi_incoming().iter().all(|(value, _)| value.is(Opcode::LLVMAtomicCmpXchg))
        && phi.users().iter().all(|user| user.is(Opcode::LLVMExtractValue))
}

fn split(module: Module, phi: Value) {
    let b = module.builder();
    for member in 0..2 {
        b.before(phi);
        let merged = b.phi(phi.ty().field(member));
        for (exchange, block) in phi.phi_incoming() {
            b.before_with_loc_of(exchange.next().expect("an exchange ends no block"), exchange);
            merged.add_incoming(b.extract_value(exchange, member), block);
        }
        for taken in phi.users().into_iter().filter(|user| user.indices() == [member]) {
            taken.replace_uses_with(merged);
            taken.erase();
        }
    }
    phi.erase();
}
