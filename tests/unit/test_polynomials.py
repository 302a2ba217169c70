"""The exact null space and the equalities made from it, against Gaussian elimination over fractions."""

from fractions import Fraction
from random import Random

from drafters.program.polynomials import Monomial, equalities, monomials, null_space


def rank(rows: list[list[int]]) -> int:
    """An independent oracle: elimination over exact fractions, column by column."""
    left = [[Fraction(entry) for entry in row] for row in rows]
    found = 0
    for column in range(len(rows[0])):
        pivot = next((row for row in left if row[column]), None)
        if pivot is None:
            continue
        left.remove(pivot)
        found += 1
        left = [[a - row[column] / pivot[column] * b for a, b in zip(row, pivot, strict=True)] for row in left]
    return found


def test_the_null_space_has_the_right_dimension_and_annihilates_every_row() -> None:
    random = Random(7)
    for _ in range(40):
        width, height, inner = random.randrange(1, 7), random.randrange(1, 8), random.randrange(1, 4)
        left = [[random.randrange(-3, 4) for _ in range(inner)] for _ in range(height)]
        right = [[random.randrange(-3, 4) for _ in range(width)] for _ in range(inner)]
        rows = [
            [sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*right, strict=True)]
            for row in left
        ]
        basis = null_space(rows, width)
        assert len(basis) == width - rank(rows)
        assert all(sum(a * b for a, b in zip(row, vector, strict=True)) == 0 for row in rows for vector in basis)
        assert rank([list(vector) for vector in basis]) == len(basis) if basis else True


def test_vectors_are_coprime_integers() -> None:
    assert null_space([[2, -4]], 2) == ((2, 1),)


def test_entries_near_the_prime_do_not_become_equalities() -> None:
    assert null_space([[(1 << 89) - 1, 1]], 2) == ()


def test_sum_of_first_numbers() -> None:
    rows = [(i, i * (i + 1) // 2) for i in range(12)]
    assert next(equalities(("i", "s"), rows, monomials(2, 2))) == "i * i + i == 2 * s"


def test_sum_of_cubes_as_a_polynomial_in_the_counter() -> None:
    rows = [(i, sum(k**3 for k in range(i))) for i in range(12)]
    basis = (*(Monomial((0,) * exponent) for exponent in range(5)), Monomial((1,)))
    assert list(equalities(("i", "s"), rows, basis)) == ["4 * s + 2 * i * i * i == i * i * i * i + i * i"]


def test_too_few_states_give_no_equalities() -> None:
    assert list(equalities(("x", "y"), [(1, 5), (2, 9)], monomials(2, 1))) == []


def test_monomials_are_complete_and_start_with_one() -> None:
    found = monomials(3, 2)
    assert len(found) == len(set(found)) == 10
    assert found[0].degree == 0


def test_multiples_of_an_equality_are_left_out() -> None:
    rows = [(i, i * i) for i in range(30)]
    assert list(equalities(("i", "s"), rows, monomials(2, 3))) == ["i * i == s"]
