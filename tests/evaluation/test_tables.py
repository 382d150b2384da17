from sumo_gymnasium.evaluation.tables import aligned, csv_of, flat


def test_flat__joins_names_and_numbers_lists() -> None:
    assert flat({"a": {"b": {"c": 1}}, "d": [2, 3], "e": None}) == {"a_b_c": 1, "d_0": 2, "d_1": 3, "e": None}


def test_csv_of__takes_the_columns_of_all_rows() -> None:
    assert csv_of([{"a": 1}, {"a": "x,y", "b": 2}]) == 'a,b\n1,\n"x,y",2\n'


def test_aligned__puts_words_left_and_numbers_right() -> None:
    assert aligned([("policy", "mean"), ("a", "10.00")], left=1) == "policy   mean\na       10.00"
