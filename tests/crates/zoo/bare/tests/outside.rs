#[test]
fn rests_are_no_debts() {
    let (big, small) = std::hint::black_box((1e17, 3.0));
    assert!(zoo_bare::rest(big, small) >= 0.0);
}
