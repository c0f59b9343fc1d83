#[test]
fn from_outside() {
    assert!(zoo::difference(std::hint::black_box(2e15)) > 0.0);
}
