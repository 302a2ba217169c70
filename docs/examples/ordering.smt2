; Valid: of two integers, one is smaller or both are equal, whatever they are.
(set-logic QF_LIA)
(set-info :question valid)
(declare-const x Int)
(declare-const y Int)
(assert (or (< x y) (= x y) (> x y)))
(check-sat)
