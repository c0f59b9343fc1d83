// Boxes, spheres and hulls that fall on a floor and on each other, and a pendulum, without a window: bullet_stack STEPS
#include "btBulletDynamicsCommon.h"
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

class Scene {
public:
    Scene() : dispatcher(&settings), world(&dispatcher, &broadphase, &solver, &settings)
    {
        world.setGravity(btVector3(0, -9.81f, 0));
    }

    ~Scene()
    {
        for (auto &joint : joints) {
            world.removeConstraint(joint.get());
        }
        for (auto &body : bodies) {
            world.removeRigidBody(body.get());
        }
    }

    btRigidBody *add(std::shared_ptr<btCollisionShape> shape, float mass, const btVector3 &at)
    {
        btVector3 inertia(0, 0, 0);
        if (mass > 0) {
            shape->calculateLocalInertia(mass, inertia);
        }
        motions.push_back(std::make_unique<btDefaultMotionState>(btTransform(btQuaternion(0.1f, 0.2f, 0.3f), at)));
        if (mass == 0) {
            motions.back()->setWorldTransform(btTransform(btQuaternion::getIdentity(), at));
        }
        bodies.push_back(std::make_unique<btRigidBody>(mass, motions.back().get(), shape.get(), inertia));
        shapes.push_back(std::move(shape));
        world.addRigidBody(bodies.back().get());
        return bodies.back().get();
    }

    void hang(btRigidBody *body, const btVector3 &pivot)
    {
        joints.push_back(std::make_unique<btPoint2PointConstraint>(*body, pivot));
        world.addConstraint(joints.back().get());
    }

    void run(int steps)
    {
        for (int step = 0; step < steps; step++) {
            world.stepSimulation(1.0f / 60.0f, 0);
        }
    }

    void print() const
    {
        for (const auto &body : bodies) {
            const btVector3 &at = body->getCenterOfMassPosition();
            const btQuaternion turn = body->getOrientation();
            std::printf("%.9g %.9g %.9g  %.9g %.9g\n", at.x(), at.y(), at.z(), turn.x(), turn.w());
        }
    }

private:
    btDefaultCollisionConfiguration settings;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world;
    std::vector<std::shared_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btDefaultMotionState>> motions;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
};

int main(int argc, char **argv)
{
    if (argc != 2) {
        return 2;
    }
    Scene scene;
    scene.add(std::make_shared<btBoxShape>(btVector3(50, 1, 50)), 0, btVector3(0, -1, 0));
    auto box = std::make_shared<btBoxShape>(btVector3(0.5f, 0.5f, 0.5f));
    auto ball = std::make_shared<btSphereShape>(0.5f);
    auto hull = std::make_shared<btConvexHullShape>();
    for (int corner = 0; corner < 4; corner++) {
        hull->addPoint(btVector3(corner & 1 ? 0.7f : -0.7f, corner & 2 ? 0.7f : -0.7f, corner % 3 ? 0.7f : -0.7f));
    }
    for (int i = 0; i < 30; i++) {
        const btVector3 at(0.3f * (i % 3), 1.0f + 1.2f * (i / 3), 0.25f * (i % 2));
        const std::shared_ptr<btCollisionShape> all[] = {box, ball, hull};
        scene.add(all[i % 3], 1.0f + 0.1f * i, at);
    }
    scene.hang(scene.add(box, 2.0f, btVector3(10, 8, 0)), btVector3(-3, 0.5f, 0));
    scene.run(std::atoi(argv[1]));
    scene.print();
}
