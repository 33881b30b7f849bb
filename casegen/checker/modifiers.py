"""Modifiers that are unknown or stand where they say nothing: open points, never errors."""

from __future__ import annotations

from .memo import ICD, Svc
from .model import ViewLine
from .work import Work

# The modifiers of CPT (appendix A) and of HCPCS level II, without the pairs of letters that
# tell origin and destination of an ambulance. A modifier outside it may be new.
KNOWN = frozenset(
    """
    22 23 24 25 26 27 29 32 33 47 50 51 52 53 54 55 56 57 58 59 62 63 66 73 74 76 77 78 79 80
    81 82 90 91 92 93 95 96 97 99 1P 2P 3P 8P P1 P2 P3 P4 P5 P6
    A1 A2 A3 A4 A5 A6 A7 A8 A9 AA AB AD AE AF AG AH AI AJ AK AM AO AP AQ AR AS AT AU AV AW AX AY
    AZ BA BL BO BP BR BU CA CB CC CD CE CF CG CH CI CJ CK CL CM CN CO CP CQ CR CS CT DA E1 E2 E3
    E4 EA EB EC ED EE EJ EM EP ER ET EX EY F1 F2 F3 F4 F5 F6 F7 F8 F9 FA FB FC FP FQ FR FS FT FX
    FY G0 G1 G2 G3 G4 G5 G6 G7 G8 G9 GA GB GC GD GE GF GG GH GJ GK GL GM GN GO GP GQ GR GS GT GU
    GV GW GX GY GZ H9 HA HB HC HD HE HF HG HH HI HJ HK HL HM HN HO HP HQ HR HS HT HU HV HW HX HY
    HZ J1 J2 J3 J4 J5 JA JB JC JD JE JF JG JK JL JW JZ K0 K1 K2 K3 K4 KA KB KC KD KE KF KG KH KI
    KJ KK KL KM KN KO KP KQ KR KS KT KU KV KW KX KY KZ L1 LC LD LL LM LR LS LT LU M2 MA MB MC MD
    ME MF MG MH MS N1 N2 N3 NB NR NU PA PB PC PD PI PL PM PN PO PS PT Q0 Q1 Q2 Q3 Q4 Q5 Q6 Q7 Q8
    Q9 QA QB QC QD QE QF QG QH QJ QK QL QM QN QP QQ QR QS QT QW QX QY QZ RA RB RC RD RE RI RR RT
    SA SB SC SD SE SF SG SH SJ SK SL SM SN SQ SS ST SU SV SW SY SZ T1 T2 T3 T4 T5 T6 T7 T8 T9 TA
    TB TC TD TE TF TG TH TJ TK TL TM TN TP TQ TR TS TT TU TV TW U1 U2 U3 U4 U5 U6 U7 U8 U9 UA UB
    UC UD UE UF UG UH UJ UK UN UP UQ UR US V1 V2 V3 V4 V5 V6 V7 V8 V9 VM VP X1 X2 X3 X4 X5 XE XP
    XS XU ZA ZB ZC
    """.split()
)
_PLACES = frozenset("DEGHIJNPRSX")  # origin and destination of an ambulance (A0021 to A0999)


def judge_modifiers(work: Work) -> None:
    """Every modifier of every line. Where a code is in no table, only whether it is known."""
    services = {line.line: svc for line, svc in work.svc}
    diagnoses = {line.line for line, _ in work.icd}
    diagnoses |= {b.line.line for b in work.broken if b.system == ICD}
    for line in work.view.lines:
        if not line.modifiers:
            continue
        if line.line in diagnoses or line.system == ICD:
            told = ", ".join(line.modifiers)
            _review(work, line, f"{line.code} is a diagnosis and takes no modifiers ({told})")
            continue
        svc = services.get(line.line)
        for modifier in line.modifiers:
            if modifier not in KNOWN and not _ambulance(line.code, modifier):
                _review(work, line, f"modifier {modifier} of {line.code} is not known")
            elif svc is not None:
                _place(work, line, svc, modifier)


def _place(work: Work, line: ViewLine, svc: Svc, modifier: str) -> None:
    if modifier == "25" and not svc.em:
        text = f"modifier 25 belongs on an evaluation and management code, not on {line.code}"
        _review(work, line, text)
    elif svc.em and modifier in work.memo.services.bypass_modifiers() and not _paired(work, svc):
        text = f"modifier {modifier} on the evaluation and management code {line.code} parts it "
        _review(work, line, text + "from nothing; no line forms an NCCI pair with it")


def _paired(work: Work, svc: Svc) -> bool:
    """True if a line of the claim forms an NCCI pair with the service."""
    memo = work.memo
    on = work.view.service_date
    for _, other in work.svc:
        if other.code in svc.partners and memo.services.pair(svc.code, other.code, on):
            return True
    return False


def _ambulance(code: str, modifier: str) -> bool:
    return code.upper().startswith("A0") and len(modifier) == 2 and _PLACES.issuperset(modifier)


def _review(work: Work, line: ViewLine, text: str) -> None:
    work.remark(line, line.code, "modifier", f"line {line.line}: {text}", None)
