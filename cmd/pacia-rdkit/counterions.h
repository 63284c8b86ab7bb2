// Acids, bases and solvents of salts and solvates, without charges and stereochemistry.
#pragma once

namespace pacia {

// Kind is the kind of a fragment, ascending by its worth: of a molecule's fragments those of the highest kind are its
// parent. So sodium acetate is acetic acid, pyridinium tosylate pyridine, and piperazine citrate both.
enum class Kind { kInorganic, kSolvent, kStrongAcid, kAcidOrBase, kOther };

// The fragments of each kind but the last. Single atoms are inorganic.
constexpr const char *kInorganic[] = {
    "OO", "OS(O)(=O)=O", "OS(O)=O", "OP(O)(O)=O", "O=P(=O)O", "O[PH2]=O", "O[PH](O)=O", "OP(O)(F)=O",
    "OP(O)(=O)OP(O)(O)=O", "O[N+](=O)[O-]", "ON=O", "OCl(=O)(=O)=O", "OCl(=O)=O", "OBr(=O)=O", "OI(=O)=O", "OC(O)=O",
    "O=C=O", "OB(O)O", "[O-][B-](O)(O)O", "O[B-](O)(O)O", "SC#N", "N=C=S", "N=C=O", "[B-](F)(F)(F)F",
    "F[P-](F)(F)(F)(F)F", "F[Sb-](F)(F)(F)(F)F", "F[As-](F)(F)(F)(F)F", "F[Si](F)(F)F", "O[Si](O)(O)O", "SS",
    "OS(O)(=O)=S", "NO", "NN", "NS(O)(=O)=O", "FF", "ClCl", "II", "I[I-]I", "N=[N+]=[N-]", "OP=O", "OS(=O)(=O)F",
};

constexpr const char *kSolvents[] = {
    "CO", "CCO", "CCCO", "CC(C)O", "CCCCO", "CC(C)CO", "CCC(C)O", "CC(C)(C)O", "CCCCCO", "CC(C)CCO", "CCCCCCO",
    "CCCCCCCCO", "OCCO", "CC(O)CO", "OCCCO", "OCC(O)CO", "COCCO", "CCOCCO", "COCCOCCO", "OCCOCCO", "OCC(F)(F)F",
    "OC(C(F)(F)F)C(F)(F)F", "OCc1ccccc1", "OC1CCCCC1", "ClCCl", "ClC(Cl)Cl", "ClC(Cl)(Cl)Cl", "ClCCCl", "CCCl",
    "ClC=CCl", "ClC(Cl)=CCl", "CC(Cl)(Cl)Cl", "BrCCBr", "CI", "CC#N", "CCC#N", "CCCC#N", "N#Cc1ccccc1", "CC(C)=O",
    "CCC(C)=O", "CCC(=O)CC", "CC(C)CC(C)=O", "CC(=O)CC(C)=O", "O=C1CCCCC1", "O=C1CCCC1", "CCOC(C)=O", "COC(C)=O",
    "CCCOC(C)=O", "CC(C)OC(C)=O", "CCCCOC(C)=O", "CC(C)COC(C)=O", "CCOC=O", "COC=O", "CCOC(=O)CC", "CCCC(=O)OCC",
    "COC(=O)OC", "CCOC(=O)OCC", "O=C1OCCO1", "CC1COC(=O)O1", "CCOC(=O)C(C)O", "O=C1CCCO1", "CCOCC", "CC(C)OC(C)C",
    "COC(C)(C)C", "CCOC(C)(C)C", "COC1CCCC1", "C1CCOC1", "CC1CCCO1", "C1CCOCC1", "C1COCCO1", "COCCOC", "COCCOCCOC",
    "CCCCOCCCC", "COc1ccccc1", "c1ccc(Oc2ccccc2)cc1", "CN(C)C=O", "CC(=O)N(C)C", "CNC(C)=O", "CNC=O", "NC=O", "CC(N)=O",
    "CN1CCCC1=O", "CN1CCN(C)C1=O", "CN1CCCN(C)C1=O", "CN(C)C(=O)N(C)C", "NC(N)=O", "CN(C)P(=O)(N(C)C)N(C)C", "CS(C)=O",
    "O=S1(=O)CCCC1", "CS(C)(=O)=O", "S=C=S", "C[N+](=O)[O-]", "CC[N+](=O)[O-]", "O=[N+]([O-])c1ccccc1", "c1ccccc1",
    "Cc1ccccc1", "CCc1ccccc1", "CC(C)c1ccccc1", "Cc1ccccc1C", "Cc1cccc(C)c1", "Cc1ccc(C)cc1", "Cc1cc(C)cc(C)c1",
    "Clc1ccccc1", "Clc1ccccc1Cl", "Fc1ccccc1", "FC(F)(F)c1ccccc1", "Brc1ccccc1", "c1ccc2c(c1)CCCC2", "CCCC", "CCCCC",
    "CC(C)CC", "CCCCCC", "CCCC(C)C", "CCCCCCC", "CCCCCCCC", "CC(C)CC(C)(C)C", "C1CCCC1", "C1CCCCC1", "CC1CCCCC1",
    "C1CCCCCC1", "C1CCC2CCCCC2C1", "CCCCCCCCCC", "CCCCCCCCCCCC", "CCCC=O", "CC=O", "C=O", "CCC=O",
};

constexpr const char *kStrongAcids[] = {
    "CS(O)(=O)=O", "CCS(O)(=O)=O", "CCCS(O)(=O)=O", "OCCS(O)(=O)=O", "NCCS(O)(=O)=O", "OS(=O)(=O)CCS(O)(=O)=O",
    "OS(=O)(=O)CCCS(O)(=O)=O", "OS(=O)(=O)CS(O)(=O)=O", "OS(=O)(=O)C(F)(F)F", "O=S(=O)(O)C(F)(F)C(F)(F)C(F)(F)C(F)(F)F",
    "O=S(=O)(NS(=O)(=O)C(F)(F)F)C(F)(F)F", "O=S(=O)(F)NS(=O)(=O)F", "OS(=O)(=O)c1ccccc1", "Cc1ccc(cc1)S(O)(=O)=O",
    "Cc1ccccc1S(O)(=O)=O", "Clc1ccc(cc1)S(O)(=O)=O", "Oc1ccc(cc1)S(O)(=O)=O", "Cc1ccc(C)c(c1)S(O)(=O)=O",
    "CCc1ccc(cc1)S(O)(=O)=O", "OS(=O)(=O)c1cccc2ccccc12", "OS(=O)(=O)c1ccc2ccccc2c1",
    "OS(=O)(=O)c1cccc2c1cccc2S(O)(=O)=O", "Oc1ccc2cc(ccc2c1)S(O)(=O)=O", "CC1(C)C2CCC1(CS(O)(=O)=O)C(=O)C2",
    "OS(=O)(=O)NC1CCCCC1", "COS(O)(=O)=O", "CCOS(O)(=O)=O", "CCCCCCCCCCCCOS(O)(=O)=O",
    "CCCCCCCCCCCCc1ccc(cc1)S(O)(=O)=O", "CCCCC(CC)COC(=O)CC(C(=O)OCC(CC)CCCC)S(O)(=O)=O",
    "Oc1c(cc(cc1[N+](=O)[O-])[N+](=O)[O-])[N+](=O)[O-]", "[B-](c1ccccc1)(c1ccccc1)(c1ccccc1)c1ccccc1", "OC(=O)C(F)(F)F",
    "OC(=O)C(Cl)(Cl)Cl", "O=C(O)C(F)(F)C(F)(F)F", "Cc1cc(C)c(c(C)c1)S(=O)(=O)O", "CC(=O)OS(=O)(=O)O",
};

constexpr const char *kAcidsAndBases[] = {
    "OC=O", "CC(O)=O", "CCC(O)=O", "CCCC(O)=O", "CC(C)C(O)=O", "CCCCC(O)=O", "CC(C)CC(O)=O", "CC(C)(C)C(O)=O",
    "CC(C)(C)CC(O)=O", "CCCCCC(O)=O", "CCCCCCC(O)=O", "CCCCCCCC(O)=O", "CCCCC(CC)C(O)=O", "CCCCCCCCC(O)=O",
    "CCCCCCCCCC(O)=O", "CCCCCCCCCCC(O)=O", "CCCCCCCCCCCC(O)=O", "CCCCCCCCCCCCCC(O)=O", "CCCCCCCCCCCCCCCC(O)=O",
    "CCCCCCCCCCCCCCCCCC(O)=O", "CCCCCCCC=CCCCCCCCCC(O)=O", "CCCCCCCCC=CCCCCCCCC(O)=O", "CCCCCC=CCC=CCCCCCCCC(O)=O",
    "C=CCCCCCCCCC(O)=O", "CC=CC=CC(O)=O", "CC=C(C)C(O)=O", "C=CC(O)=O", "CC=CC(O)=O", "OC(=O)C(Cl)Cl", "OC(=O)CCl",
    "OC(=O)C(F)F", "OC(=O)CC#N", "CC(=O)C(O)=O", "OC(=O)C(O)=O", "OC(=O)CC(O)=O", "OC(=O)CCC(O)=O", "OC(=O)C=CC(O)=O",
    "OC(=O)CCCC(O)=O", "OC(=O)CCCCC(O)=O", "OC(=O)CCCCCC(O)=O", "OC(=O)CCCCCCC(O)=O", "OC(=O)CCCCCCCC(O)=O",
    "OC(=O)CCCCCCCCC(O)=O", "CC(=CC(O)=O)C(O)=O", "OC(=O)CCC(=O)C(O)=O", "OC(=O)CC(=O)C(O)=O",
    "OC(=O)CC(=CC(O)=O)C(O)=O", "OC(=O)CC(CC(O)=O)C(O)=O", "OC(C(O)C(O)=O)C(O)=O", "OC(CC(O)=O)C(O)=O",
    "OC(=O)CC(O)(CC(O)=O)C(O)=O", "CC(O)C(O)=O", "OCC(O)=O", "OCC(O)C(O)=O", "OCCC(O)=O", "CC(O)CC(O)=O",
    "OCC(O)C(O)C(O)C(O)C(O)=O", "OCC(O)C(O)C(O)C(O)C(O)C(O)=O", "OC(=O)C(O)C(O)C(O)C(O)C(O)=O",
    "OC1OC(C(O)C(O)C1O)C(O)=O", "O=CC(O)C(O)C(O)C(O)C(O)=O", "OCC(O)C1OC(=O)C(O)=C1O",
    "OCC1OC(OC(C(O)CO)C(O)C(O)C(O)=O)C(O)C(O)C1O", "OCC(O)COP(O)(O)=O", "OCC(OP(O)(O)=O)CO", "CC(=O)NCC(O)=O",
    "OC(=O)C1CCC(=O)N1", "OC(=O)CNC(=O)c1ccccc1", "OC(=O)CN(CCN(CC(O)=O)CC(O)=O)CC(O)=O", "OC(=O)CN(CC(O)=O)CC(O)=O",
    "OC(C(O)=O)c1ccccc1", "OC(=O)c1ccccc1", "OC(=O)c1ccccc1O", "OC(=O)c1cccc(O)c1", "OC(=O)c1ccc(O)cc1",
    "OC(=O)c1cc(O)ccc1O", "OC(=O)c1ccc(O)cc1O", "OC(=O)c1cc(O)c(O)c(O)c1", "CC(=O)Oc1ccccc1C(O)=O", "Nc1ccc(cc1)C(O)=O",
    "CC(=O)Nc1ccc(cc1)C(O)=O", "Cc1ccc(cc1)C(O)=O", "Clc1ccc(cc1)C(O)=O", "OC(=O)c1ccc(cc1)[N+](=O)[O-]",
    "OC(=O)c1ccccc1C(O)=O", "OC(=O)c1cccc(c1)C(O)=O", "OC(=O)c1ccc(cc1)C(O)=O", "OC(=O)c1cccc(c1O)S(O)(=O)=O",
    "OC(=O)c1ccc(O)c(c1)S(O)(=O)=O", "OC(=O)c1cccc(c1)S(O)(=O)=O", "OC(=O)Cc1ccccc1", "OC(=O)CCc1ccccc1",
    "OC(=O)C=Cc1ccccc1", "OC(=O)C(c1ccccc1)(c1ccccc1)c1ccccc1", "OC(=O)c1ccccc1C(=O)c1ccc(O)cc1", "OC(=O)COc1ccccc1",
    "OC(=O)c1cccnc1", "OC(=O)c1ccncc1", "OC(=O)c1ccco1", "OC(=O)c1cccs1", "OC(=O)c1ccc2ccccc2c1O",
    "OC(=O)c1cc2ccccc2cc1O", "OC(=O)c1cc2ccccc2c(Cc2c(O)c(C(O)=O)cc3ccccc23)c1O", "O=C(O)c1cc(=O)[nH]c(=O)[nH]1",
    "O=C1NS(=O)(=O)c2ccccc12", "CC1=CC(=O)NS(=O)(=O)O1", "CCCCC1CCC(CC1)C(O)=O", "OC(=O)CCC1CCCC1", "OC(=O)C1CCCCC1",
    "CC1(C)C(CCC1(C)C(O)=O)C(O)=O", "CC12CCC(CC1)(C=C2)C(O)=O", "CCOC(O)=O", "CN(C)CCC(O)=O", "Nc1ccc(cc1)P(O)(O)=O",
    "Oc1cc(Cl)c(Cl)cc1Cl", "CCCCCCCCCCCCCCOP(O)(O)=O", "CSCCC(N)C(C)=O", "COC(=O)CC(O)(CCCC(C)(C)O)C(O)=O",
    "O=C(OCO)C(CC)CC", "CN", "CCN", "CNC", "CCNCC", "CN(C)C", "CCN(CC)CC", "CC(C)N", "CC(C)NC(C)C", "CCN(C(C)C)C(C)C",
    "CCCN", "CCCCN", "CCCCNCCCC", "CCCCN(CCCC)CCCC", "CC(C)(C)N", "CC(C)CC(C)(C)N", "C1CCC(CC1)N",
    "C1CCC(CC1)NC1CCCCC1", "NCc1ccccc1", "CC(N)c1ccccc1", "C(Cc1ccccc1)NCc1ccccc1", "C(CNCc1ccccc1)NCc1ccccc1", "NCCO",
    "CNCCO", "CN(C)CCO", "CCN(CC)CCO", "OCCNCCO", "OCCN(CCO)CCO", "CN(CCO)CCO", "CC(C)(N)CO", "CC(N)(CO)CO",
    "NC(CO)(CO)CO", "CC(N)CO", "NCCN", "NCCCN", "CN(C)CCN(C)C", "NCCNCCN", "NCCCCN", "CNCC(O)C(O)C(O)C(O)CO",
    "CCNCC(O)C(O)C(O)C(O)CO", "NC1C(O)OC(CO)C(O)C1O", "NCC(O)C(O)C(O)C(O)CO", "C1CNCCN1", "CN1CCNCC1", "CN1CCN(C)CC1",
    "OCCN1CCNCC1", "C1CCNCC1", "C1CCNC1", "OCCN1CCCC1", "C1COCCN1", "CN1CCOCC1", "OCCN1CCOCC1", "C1CN2CCN1CC2",
    "C1CN2CCC1CC2", "C1CCC2=NCCCN2CC1", "C1CN=C2CCCN2C1", "c1ccncc1", "Cc1cccc(C)n1", "Cc1ccccn1", "Cc1ccncc1",
    "CN(C)c1ccncc1", "Cc1cc(C)nc(C)c1", "c1ccc2ncccc2c1", "c1c[nH]cn1", "Cn1ccnc1", "NC(N)=N", "CN(C)C(=N)N(C)C",
    "NC(=N)NCCCCNC(N)=N", "Nc1ccccc1", "CN(C)c1ccccc1", "CCN(CC)CCOC(=O)c1ccc(N)cc1", "C[N+](C)(C)CCO",
    "C[N+](C)(C)CC(O)=O", "C[N+](C)(C)C", "CC[N+](CC)(CC)CC", "CCC[N+](CCC)(CCC)CCC", "CCCC[N+](CCCC)(CCCC)CCCC",
    "C[N+](C)(C)Cc1ccccc1", "CC[N+](CC)(CC)Cc1ccccc1", "c1ccc(cc1)[P+](c1ccccc1)(c1ccccc1)c1ccccc1",
    "C[P+](c1ccccc1)(c1ccccc1)c1ccccc1", "CCCC[P+](CCCC)(CCCC)CCCC", "CCn1cc[n+](C)c1", "CCCCn1cc[n+](C)c1", "NCC(O)=O",
    "CC(N)C(O)=O", "NCCC(O)=O", "NCCCCC(N)C(O)=O", "NC(=N)NCCCC(N)C(O)=O", "NCCCC(N)C(O)=O", "NC(Cc1c[nH]cn1)C(O)=O",
    "NC(CCC(O)=O)C(O)=O", "NC(CC(O)=O)C(O)=O", "OC(=O)C1CCCN1", "NC(CO)C(O)=O", "NC(CCC(N)=O)C(O)=O", "CSCCC(N)C(O)=O",
    "NC(CS)C(O)=O", "CC(O)CN(C)C",
};

}  // namespace pacia
