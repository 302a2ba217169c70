; Satisfiable, with a model: pay 43 in coins of 5 and 9, at least one of each.
(set-logic QF_LIA)
(set-info :status sat)
(declare-const fives Int)
(declare-const nines Int)
(assert (>= fives 1))
(assert (>= nines 1))
(assert (= (+ (* 5 fives) (* 9 nines)) 43))
(check-sat)
