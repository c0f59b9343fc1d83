// The Hilbert matrix of N rows: a linear system, the smallest eigenvalue and the determinant: hilbert N
#include <Eigen/Dense>
#include <cstdio>
#include <cstdlib>
int main(int argc, char **argv)
{
    const int n = std::atoi(argv[1]);
    Eigen::MatrixXd hilbert(n, n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            hilbert(i, j) = 1.0 / (i + j + 1);
        }
    }
    Eigen::VectorXd ones = Eigen::VectorXd::Ones(n);
    Eigen::VectorXd x = hilbert.partialPivLu().solve(ones);
    for (int i = 0; i < n; i++) {
        std::printf("x%d %.17g\n", i, x(i));
    }
    std::printf("residual %.17g\n", (hilbert * x - ones).norm());
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(hilbert);
    std::printf("smallest eigenvalue %.17g\n", eigen.eigenvalues()(0));
    std::printf("determinant %.17g\n", hilbert.determinant());
}
