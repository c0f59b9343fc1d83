// The shim's part that knows of places in the source; as there, all decisions are in Rust.

#include "llvm-c/Core.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <functional>

using namespace llvm;

extern "C" {

// Keeps an instruction's own place beside its location. Optimizers give what they move the location of a branch, or
// none; of all metadata only annotations go along.
static constexpr StringLiteral PlaceKey = "nonius.place";

void nonius_note_place(LLVMValueRef V, bool ByName) {
  auto *I = unwrap<Instruction>(V);
  const DILocation *Loc = I->getDebugLoc();
  DISubprogram *SP = Loc ? Loc->getScope()->getSubprogram() : nullptr;
  if (!SP || !Loc->getLine() || Loc->getInlinedAt() || I->hasMetadata(LLVMContext::MD_annotation))
    return;
  LLVMContext &C = I->getContext();
  StringRef Name = SP->getLinkageName().empty() ? SP->getName() : SP->getLinkageName();
  auto Text = [&C](const Twine &T) { return MDString::get(C, T.str()); };
  Metadata *Parts[] = {Text(PlaceKey),          Text(Twine(Loc->getLine())), Text(Twine(Loc->getColumn())),
                       Text(Loc->getFilename()), Text(Loc->getDirectory()),   Text(Name),
                       Text(Twine(I->getOpcodeName()) + (ByName ? " by name" : ""))};
  I->setMetadata(LLVMContext::MD_annotation, MDTuple::get(C, {MDTuple::get(C, Parts)}));
}

// What nonius_note_place kept: line, column, file, directory, function and operation, as texts.
bool nonius_noted_place(LLVMValueRef V, const char **Texts, size_t *Lengths) {
  const auto *Notes = dyn_cast_or_null<MDTuple>(unwrap<Instruction>(V)->getMetadata(LLVMContext::MD_annotation));
  const auto *Place = Notes && Notes->getNumOperands() ? dyn_cast<MDTuple>(Notes->getOperand(0)) : nullptr;
  if (!Place || Place->getNumOperands() != 7 || cast<MDString>(Place->getOperand(0))->getString() != PlaceKey)
    return false;
  for (unsigned N = 0; N < 6; ++N) {
    StringRef Text = cast<MDString>(Place->getOperand(N + 1))->getString();
    Texts[N] = Text.data();
    Lengths[N] = Text.size();
  }
  return true;
}

// Gives each way to a return that several share, by a phi or by a variable that is loaded there, a return of its own,
// with the place that the way has.
void nonius_split_returns(LLVMValueRef F, unsigned MostWays) {
  SmallVector<ReturnInst *> Returns;
  for (BasicBlock &BB : *unwrap<Function>(F))
    if (auto *RI = dyn_cast<ReturnInst>(BB.getTerminator()); RI && !BB.hasAddressTaken() && !BB.isEntryBlock())
      Returns.push_back(RI);
  for (ReturnInst *RI : Returns) {
    BasicBlock *BB = RI->getParent();
    Value *Result = RI->getReturnValue();
    auto *Loaded = dyn_cast_or_null<LoadInst>(Result);
    auto *Merged = dyn_cast_or_null<PHINode>(Result);
    if (Loaded && (!Loaded->isSimple() || !isa<AllocaInst>(Loaded->getPointerOperand())))
      continue;
    auto Belongs = [&](Instruction &I) { return &I == RI || &I == Loaded || isa<PHINode>(I); };
    SmallSetVector<BasicBlock *, 8> Ways(pred_begin(BB), pred_end(BB));
    if (!(Loaded || Merged) || Ways.size() < 2 || Ways.size() > MostWays || !all_of(*BB, Belongs) ||
        (Loaded ? Loaded : static_cast<Instruction *>(Merged))->getParent() != BB)
      continue;
    for (BasicBlock *Way : Ways) {
      auto *Br = dyn_cast<BranchInst>(Way->getTerminator());
      if (!Br || !Br->isUnconditional())
        continue;
      DebugLoc Place = Br->getDebugLoc();
      for (Instruction &I : reverse(*Way))
        if (auto *S = dyn_cast<StoreInst>(&I);
            S && Loaded && S->getPointerOperand() == Loaded->getPointerOperand() && S->getDebugLoc()) {
          Place = S->getDebugLoc();
          break;
        }
      Instruction *Own = RI->clone();
      if (Loaded) {
        Instruction *Load = Loaded->clone();
        Load->insertBefore(Br->getIterator());
        Own->setOperand(0, Load);
      } else {
        Own->setOperand(0, Merged->getIncomingValueForBlock(Way));
      }
      Own->insertBefore(Br->getIterator());
      if (Place && Place.getLine())
        Own->setDebugLoc(Place);
      BB->removePredecessor(Way, /*KeepOneInputPHIs=*/true);
      Br->eraseFromParent();
    }
    if (pred_empty(BB))
      DeleteDeadBlock(BB);
  }
}

// Moves all lines of a file by a number of lines, in the locations of a module's code, and the columns of each new line by
// what `Columns` has for it.
void nonius_move_lines(LLVMModuleRef M, const char *File, int64_t By, const unsigned *Columns, size_t Lines) {
  DenseMap<const DILocation *, DILocation *> Moved;
  std::function<DILocation *(DILocation *)> Move = [&](DILocation *Loc) -> DILocation * {
    auto [It, IsNew] = Moved.try_emplace(Loc, Loc);
    if (!IsNew)
      return It->second;
    DILocation *At = Loc->getInlinedAt() ? Move(Loc->getInlinedAt()) : nullptr;
    bool IsOfFile = Loc->getFilename() == File && Loc->getLine() && Loc->getLine() + By > 0;
    if (!IsOfFile && At == Loc->getInlinedAt())
      return Loc;
    unsigned Line = Loc->getLine() + (IsOfFile ? By : 0);
    unsigned Column = Loc->getColumn();
    if (IsOfFile && Column && Line <= Lines)
      Column += Columns[Line - 1];
    DILocation *New = Loc->isDistinct()
                          ? DILocation::getDistinct(Loc->getContext(), Line, Column, Loc->getScope(), At)
                          : DILocation::get(Loc->getContext(), Line, Column, Loc->getScope(), At);
    return Moved[Loc] = New;
  };
  for (Function &F : *unwrap(M))
    for (BasicBlock &BB : F)
      for (Instruction &I : BB)
        if (DILocation *Loc = I.getDebugLoc())
          I.setDebugLoc(Move(Loc));
}

// Name and line of a function's subprogram, if it has one in `File`.
const char *nonius_subprogram(LLVMValueRef F, const char *File, size_t *Len, unsigned *Line) {
  DISubprogram *SP = unwrap<Function>(F)->getSubprogram();
  if (!SP || SP->getFilename() != File)
    return nullptr;
  *Len = SP->getName().size();
  *Line = SP->getLine();
  return SP->getName().data();
}
}
