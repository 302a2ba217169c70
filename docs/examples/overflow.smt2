; A false claim: "a byte plus one is always larger". It claims that there is no way to break it; 255 does.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const byte (_ BitVec 8))
(assert (not (bvugt (bvadd byte #x01) byte)))
(check-sat)
