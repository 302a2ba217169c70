; Unsatisfiable: no number is twice one integer and twice another plus one.
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const n Int)
(declare-const half Int)
(declare-const other Int)
(assert (= n (* 2 half)))
(assert (= n (+ (* 2 other) 1)))
(check-sat)
