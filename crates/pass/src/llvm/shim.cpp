// What LLVM's C interface lacks. Each function does one thing; all decisions are in Rust.

#include "llvm-c/Core.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

extern "C" bool nonius_run_on_module(LLVMModuleRef, bool InLink, bool Unoptimized);
extern "C" bool nonius_before_link(LLVMModuleRef);
extern "C" bool nonius_link_starts(LLVMModuleRef);
extern "C" bool nonius_before_pipeline(LLVMModuleRef, bool Unoptimized);
extern "C" bool nonius_before_vectorizers(LLVMModuleRef, LLVMValueRef);
extern "C" bool nonius_may_join_lanes(LLVMValueRef);

namespace {
// The code generator sinks what only later blocks use past the branch of a test. Of shadows, that is nearly
// all: what they are computed from would wait on the stack instead of them. There is no attribute against it.
// And without optimization it gives a stack slot of its own to each value that a later block uses: with tests
// that split blocks, frames grow tenfold. Its better register allocator reuses slots; but its time grows with the
// square of what it is given, so unoptimized modules with a function that is too long for it are left to the plain one.
constexpr unsigned LongestForAllocator = 40'000;

void prepareCodeGenerator(Module &M, bool Unoptimized) {
  auto &Options = cl::getRegisteredOptions();
  if (cl::Option *Sink = Options.lookup("disable-machine-sink"))
    *static_cast<cl::opt<bool> *>(Sink) = true;
  bool IsLong = any_of(M, [](const Function &F) { return F.getInstructionCount() > LongestForAllocator; });
  if (Unoptimized && IsLong)
    return;
  if (cl::Option *Allocate = Options.lookup("optimize-regalloc"))
    *static_cast<cl::opt<cl::boolOrDefault> *>(Allocate) = cl::boolOrDefault::BOU_TRUE;
}

struct NoniusPass : PassInfoMixin<NoniusPass> {
  bool InLink, Unoptimized;
  NoniusPass(bool InLink, bool Unoptimized) : InLink(InLink), Unoptimized(Unoptimized) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (!nonius_run_on_module(wrap(&M), InLink, Unoptimized))
      return PreservedAnalyses::all();
    prepareCodeGenerator(M, Unoptimized);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};
struct NoniusBeforeLinkPass : PassInfoMixin<NoniusBeforeLinkPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return nonius_before_link(wrap(&M)) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};
struct NoniusLinkStartsPass : PassInfoMixin<NoniusLinkStartsPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return nonius_link_starts(wrap(&M)) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};
struct NoniusStartPass : PassInfoMixin<NoniusStartPass> {
  bool Unoptimized;
  explicit NoniusStartPass(bool Unoptimized) : Unoptimized(Unoptimized) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return nonius_before_pipeline(wrap(&M), Unoptimized) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};
struct NoniusRaisePass : PassInfoMixin<NoniusRaisePass> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    // A loop that the source wants vectorized may add up in another order, by its width.
    for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
      for (const char *Hint : {"llvm.loop.vectorize.enable", "llvm.loop.vectorize.width"})
        if (findStringMetadataForLoop(L, Hint))
          return PreservedAnalyses::all();
    if (!nonius_before_vectorizers(wrap(F.getParent()), wrap(&F)))
      return PreservedAnalyses::all();
    // One chain of shadows fills the registers: no second one beside it.
    for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
      if (L->isInnermost() && !getOptionalIntLoopAttribute(L, "llvm.loop.interleave.count"))
        addStringMetadataToLoop(L, "llvm.loop.interleave.count", 1);
    // What the target can do is kept for good once it was asked; ask anew.
    FAM.clear(F, F.getName());
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};
} // namespace

extern "C" {

// At the end of the pipeline, so that what is checked is what ships. Under LTO that is the end of the link's.
void nonius_register(PassBuilder &PB) {
  if (PassInstrumentationCallbacks *PIC = PB.getPassInstrumentationCallbacks())
    PIC->registerShouldRunOptionalPassCallback([](StringRef Pass, Any IR) {
      const auto *F = Pass == "SLPVectorizerPass" ? any_cast<const Function *>(&IR) : nullptr;
      return !F || nonius_may_join_lanes(wrap(*F));
    });
  PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel Level) {
    MPM.addPass(NoniusStartPass(Level == OptimizationLevel::O0));
  });
  PB.registerVectorizerStartEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel) { FPM.addPass(NoniusRaisePass()); });
  PB.registerOptimizerLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase Phase) {
        if (Phase == ThinOrFullLTOPhase::ThinLTOPreLink || Phase == ThinOrFullLTOPhase::FullLTOPreLink)
          MPM.addPass(NoniusBeforeLinkPass());
        else
          MPM.addPass(NoniusPass(Phase != ThinOrFullLTOPhase::None, Level == OptimizationLevel::O0));
      });
  PB.registerPipelineEarlySimplificationEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase Phase) {
        if (Phase == ThinOrFullLTOPhase::ThinLTOPostLink)
          MPM.addPass(NoniusLinkStartsPass());
      });
  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(NoniusLinkStartsPass()); });
  PB.registerFullLinkTimeOptimizationLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        MPM.addPass(NoniusPass(true, Level == OptimizationLevel::O0));
      });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "nonius" && Name != "nonius-in-link")
          return false;
        MPM.addPass(NoniusPass(Name == "nonius-in-link", false));
        return true;
      });
}

// Splits before `Before` and branches to a new, unlikely block when `Cond` holds.
// Returns the new block's terminator, which jumps back to `Before`.
LLVMValueRef nonius_split_if(LLVMValueRef Cond, LLVMValueRef Before) {
  auto *I = unwrap<Instruction>(Before);
  MDNode *Weights = MDBuilder(I->getContext()).createUnlikelyBranchWeights();
  return wrap(SplitBlockAndInsertIfThen(unwrap(Cond), I->getIterator(), false, Weights));
}

// Whether two instructions do the same to their operands.
bool nonius_is_same_operation(LLVMValueRef A, LLVMValueRef B) {
  auto *I = unwrap<Instruction>(A), *J = unwrap<Instruction>(B);
  return I->isSameOperationAs(J) && I->hasSameSubclassOptionalData(J);
}

// Copies an instruction before the builder's point, without what the compiler knows of the original.
LLVMValueRef nonius_copy(LLVMBuilderRef Builder, LLVMValueRef From) {
  Instruction *Copy = unwrap<Instruction>(From)->clone();
  Copy->dropUnknownNonDebugMetadata();
  Copy->setDebugLoc(DebugLoc());
  return wrap(unwrap(Builder)->Insert(Copy));
}

// Whether a function's name is one that LLVM knows from the C or C++ library.
bool nonius_is_library_function(LLVMValueRef Callee) {
  static const TargetLibraryInfoImpl Names{Triple("x86_64-unknown-linux-gnu")};
  LibFunc Known;
  return Names.getLibFunc(unwrap(Callee)->getName(), Known);
}

// Splits before `Before` and branches to one of two new blocks. Their terminators, which jump back to
// `Before`, go to `Then` and `Else`; the latter is unlikely.
void nonius_split_if_else(LLVMValueRef Cond, LLVMValueRef Before, LLVMValueRef *Then, LLVMValueRef *Else) {
  auto *I = unwrap<Instruction>(Before);
  Instruction *ThenTerm = nullptr, *ElseTerm = nullptr;
  MDNode *Weights = MDBuilder(I->getContext()).createLikelyBranchWeights();
  SplitBlockAndInsertIfThenElse(unwrap(Cond), I->getIterator(), &ThenTerm, &ElseTerm, Weights);
  *Then = wrap(ThenTerm);
  *Else = wrap(ElseTerm);
}

// Splits before `Before` and puts a loop there that runs `Count` times, at least once. Returns where its body goes; the
// turn, from 0, goes to `Index`.
LLVMValueRef nonius_split_loop(LLVMValueRef Count, LLVMValueRef Before, LLVMValueRef *Index) {
  auto [Body, Turn] = SplitBlockAndInsertSimpleForLoop(unwrap(Count), unwrap<Instruction>(Before)->getIterator());
  *Index = wrap(Turn);
  return wrap(Body);
}

// A block on the edge, so that code can be put there alone. Returns it.
LLVMBasicBlockRef nonius_split_edge(LLVMBasicBlockRef From, LLVMBasicBlockRef To) {
  return wrap(SplitEdge(unwrap(From), unwrap(To)));
}

void nonius_append_ctor(LLVMModuleRef M, LLVMValueRef F, int Priority) {
  appendToGlobalCtors(*unwrap(M), unwrap<Function>(F), Priority);
}

void nonius_append_used(LLVMModuleRef M, LLVMValueRef Global) {
  appendToUsed(*unwrap(M), {unwrap<GlobalValue>(Global)});
}

void nonius_append_dtor(LLVMModuleRef M, LLVMValueRef F, int Priority) {
  appendToGlobalDtors(*unwrap(M), unwrap<Function>(F), Priority);
}

bool nonius_comes_before(LLVMValueRef I, LLVMValueRef Other) {
  return unwrap<Instruction>(I)->comesBefore(unwrap<Instruction>(Other));
}

void nonius_move_before(LLVMValueRef I, LLVMValueRef Before) {
  unwrap<Instruction>(I)->moveBefore(unwrap<Instruction>(Before)->getIterator());
}

// What a pointer is a constant number of bytes away from.
LLVMValueRef nonius_base_and_offset(LLVMValueRef Pointer, int64_t *Offset) {
  Value *V = unwrap(Pointer);
  auto *I = dyn_cast<Instruction>(V);
  *Offset = 0;
  if (!I)
    return Pointer;
  const DataLayout &DL = I->getModule()->getDataLayout();
  APInt Bytes(DL.getIndexTypeSizeInBits(V->getType()), 0);
  Value *Base = V->stripAndAccumulateConstantOffsets(DL, Bytes, /*AllowNonInbounds=*/true);
  *Offset = Bytes.getSExtValue();
  return wrap(Base);
}

// Constants get a new function that calls F and does no more; instructions keep F.
void nonius_forward_constant_uses(LLVMValueRef Function_) {
  auto *F = unwrap<Function>(Function_);
  Module *M = F->getParent();
  auto *G = Function::Create(F->getFunctionType(), GlobalValue::InternalLinkage, "nonius.forward", M);
  G->setAttributes(F->getAttributes());
  G->setCallingConv(F->getCallingConv());
  G->removeFnAttr(Attribute::NoUnwind);
  SmallVector<Use *> Instructions;
  for (Use &U : F->uses())
    if (isa<Instruction>(U.getUser()))
      Instructions.push_back(&U);
  SmallVector<std::pair<User *, unsigned>> Kept;
  for (Use *U : Instructions)
    Kept.push_back({U->getUser(), U->getOperandNo()});
  F->replaceAllUsesWith(G);
  for (auto [User, Operand] : Kept)
    User->setOperand(Operand, F);
  IRBuilder<> B(BasicBlock::Create(M->getContext(), "", G));
  SmallVector<Value *> Arguments;
  for (Argument &A : G->args())
    Arguments.push_back(&A);
  CallInst *Call = B.CreateCall(F, Arguments);
  Call->setAttributes(F->getAttributes());
  Call->setCallingConv(F->getCallingConv());
  if (F->getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
}

// An instrumented function writes memory, whatever was known of the program's.
void nonius_forget_memory_effects(LLVMModuleRef M) {
  for (Function &F : *unwrap(M)) {
    if (!F.isIntrinsic()) {
      F.removeFnAttr(Attribute::Memory);
      F.removeFnAttr(Attribute::Speculatable);
    }
    for (BasicBlock &BB : F)
      for (Instruction &I : BB)
        if (auto *Call = dyn_cast<CallBase>(&I))
          if (!isa<IntrinsicInst>(Call))
            Call->removeFnAttr(Attribute::Memory);
  }
}

// The C interface can only add flags.
void nonius_forbid_contract(LLVMValueRef V) {
  if (auto *Op = dyn_cast<FPMathOperator>(unwrap(V))) {
    FastMathFlags Flags = Op->getFastMathFlags();
    Flags.setAllowContract(false);
    cast<Instruction>(Op)->copyFastMathFlags(Flags);
  }
}

// The linkage name of the subprogram that a location lies in, else its name.
const char *nonius_location_function(LLVMMetadataRef Loc, size_t *Len) {
  DISubprogram *SP = unwrap<DILocation>(Loc)->getScope()->getSubprogram();
  StringRef Name;
  if (SP)
    Name = SP->getLinkageName().empty() ? SP->getName() : SP->getLinkageName();
  *Len = Name.size();
  return Name.data();
}

// The line on which that subprogram begins, 0 if there is none.
unsigned nonius_location_function_line(LLVMMetadataRef Loc) {
  DISubprogram *SP = unwrap<DILocation>(Loc)->getScope()->getSubprogram();
  return SP ? SP->getLine() : 0;
}

// What the compiler itself makes of an instruction whose operands are these constants; null if it makes nothing of it.
LLVMValueRef nonius_fold(LLVMValueRef V, LLVMValueRef *Operands, unsigned Count) {
  static const TargetLibraryInfoImpl Names{Triple("x86_64-unknown-linux-gnu")};
  static const TargetLibraryInfo Library{Names};
  auto *I = unwrap<Instruction>(V);
  const DataLayout &DL = I->getModule()->getDataLayout();
  SmallVector<Constant *, 4> Values;
  for (unsigned N = 0; N < Count; ++N)
    Values.push_back(unwrap<Constant>(Operands[N]));
  Constant *Folded = nullptr;
  if (auto *Compare = dyn_cast<CmpInst>(I)) {
    Folded = ConstantFoldCompareInstOperands(Compare->getPredicate(), Values[0], Values[1], DL, &Library, I);
  } else if (auto *Call = dyn_cast<CallBase>(I)) {
    Function *Callee = Call->getCalledFunction();
    if (Callee && canConstantFoldCallTo(Call, Callee))
      Folded = ConstantFoldCall(Call, Callee, Values, &Library);
  } else {
    Folded = ConstantFoldInstOperands(I, Values, DL, &Library);
  }
  return wrap(Folded);
}

// The instruction that the builder stands before; null at a block's end.
LLVMValueRef nonius_builder_point(LLVMBuilderRef B) {
  IRBuilder<> *Builder = unwrap(B);
  BasicBlock *BB = Builder->GetInsertBlock();
  auto It = Builder->GetInsertPoint();
  return It == BB->end() ? nullptr : wrap(&*It);
}

// A copy of the function that only this module sees.
LLVMValueRef nonius_clone_function(LLVMValueRef F) {
  auto *Old = unwrap<Function>(F);
  ValueToValueMapTy Map;
  Function *New = CloneFunction(Old, Map);
  New->setLinkage(GlobalValue::InternalLinkage);
  New->setVisibility(GlobalValue::DefaultVisibility);
  New->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  New->setComdat(Old->getComdat());
  New->setDSOLocal(true);
  New->setName(Old->getName() + ".nonius.record");
  return wrap(New);
}

// Replaces the body by that of a copy, which is then deleted.
void nonius_take_body(LLVMValueRef To, LLVMValueRef From) {
  auto *F = unwrap<Function>(To), *Copy = unwrap<Function>(From);
  for (BasicBlock &BB : *F)
    BB.dropAllReferences();
  while (!F->empty())
    F->begin()->eraseFromParent();
  F->splice(F->begin(), Copy);
  for (auto [Old, New] : zip(Copy->args(), F->args()))
    Old.replaceAllUsesWith(&New);
  F->setSubprogram(Copy->getSubprogram());
  Copy->eraseFromParent();
}

// Hands all of the builder's function's arguments to one of the same type, in place of the frame
// if it must.
LLVMValueRef nonius_hand_on(LLVMBuilderRef B, LLVMValueRef To, bool Must) {
  IRBuilder<> *Builder = unwrap(B);
  Function *From = Builder->GetInsertBlock()->getParent();
  auto *Callee = unwrap<Function>(To);
  SmallVector<Value *, 8> Arguments;
  for (Argument &A : From->args())
    Arguments.push_back(&A);
  CallInst *Call = Builder->CreateCall(Callee->getFunctionType(), Callee, Arguments);
  Call->setCallingConv(Callee->getCallingConv());
  AttributeList Own = From->getAttributes();
  SmallVector<AttributeSet, 8> OfArguments;
  for (unsigned I = 0; I < From->arg_size(); ++I)
    OfArguments.push_back(Own.getParamAttrs(I));
  Call->setAttributes(
      AttributeList::get(From->getContext(), AttributeSet(), Own.getRetAttrs(), OfArguments));
  Call->setTailCallKind(Must ? CallInst::TCK_MustTail : CallInst::TCK_None);
  if (DISubprogram *SP = From->getSubprogram(); SP && !Call->getDebugLoc())
    Call->setDebugLoc(DILocation::get(From->getContext(), 0, 0, SP));
  return wrap(Call);
}

void nonius_delete_function(LLVMValueRef F) { unwrap<Function>(F)->eraseFromParent(); }

// The object that a pointer is a constant number of bytes away from.
LLVMValueRef nonius_base(LLVMModuleRef M, LLVMValueRef Pointer, int64_t *Offset) {
  const DataLayout &Layout = unwrap(M)->getDataLayout();
  Value *V = unwrap(Pointer);
  APInt Bytes(Layout.getIndexTypeSizeInBits(V->getType()), 0);
  Value *Base = V->stripAndAccumulateConstantOffsets(Layout, Bytes, /*AllowNonInbounds=*/true);
  *Offset = Bytes.getSExtValue();
  return wrap(Base);
}

// The bits of a constant float of at most 128; says whether it is one.
bool nonius_constant_bits(LLVMValueRef V, uint64_t *Bits) {
  auto *Constant = dyn_cast<ConstantFP>(unwrap(V));
  if (!Constant)
    return false;
  APInt All = Constant->getValueAPF().bitcastToAPInt();
  Bits[0] = All.getRawData()[0];
  Bits[1] = All.getNumWords() > 1 ? All.getRawData()[1] : 0;
  return true;
}

// The most bits that an integer's magnitude, or that of each lane, can take, without zeros at its end.
unsigned nonius_significant_bits(LLVMModuleRef M, LLVMValueRef V, bool Signed) {
  const DataLayout &DL = unwrap(M)->getDataLayout();
  KnownBits Known = computeKnownBits(unwrap(V), DL);
  unsigned Bits = Signed ? Known.getBitWidth() - ComputeNumSignBits(unwrap(V), DL) : Known.countMaxActiveBits();
  unsigned Zeros = Known.countMinTrailingZeros();
  return Bits > Zeros ? Bits - Zeros : 0;
}
}
