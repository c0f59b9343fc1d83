// A pyramid of boxes, a chain of joints and a fast ball, without a window: box2d_stack STEPS
#include "box2d/box2d.h"
#include <cstdio>
#include <cstdlib>
#include <vector>

static b2Body *add(b2World &world, b2BodyType type, float x, float y, const b2Shape &shape)
{
    b2BodyDef definition;
    definition.type = type;
    definition.position.Set(x, y);
    b2Body *body = world.CreateBody(&definition);
    body->CreateFixture(&shape, 1.0f);
    return body;
}

static void add_pyramid(b2World &world, std::vector<b2Body *> &bodies, int rows)
{
    b2PolygonShape box;
    box.SetAsBox(0.5f, 0.5f);
    for (int row = 0; row < rows; row++) {
        for (int column = row; column < rows; column++) {
            float x = 1.125f * (column - row) + 0.5625f * row;
            bodies.push_back(add(world, b2_dynamicBody, x, 0.75f + 1.05f * row, box));
        }
    }
}

static void add_chain(b2World &world, std::vector<b2Body *> &bodies, b2Body *anchor, int links)
{
    b2PolygonShape plank;
    plank.SetAsBox(0.6f, 0.125f);
    b2Body *previous = anchor;
    for (int i = 0; i < links; i++) {
        b2Body *link = add(world, b2_dynamicBody, -20.0f + i, 15.0f, plank);
        b2RevoluteJointDef joint;
        joint.Initialize(previous, link, b2Vec2(-20.5f + i, 15.0f));
        world.CreateJoint(&joint);
        bodies.push_back(previous = link);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        return 2;
    }
    b2World world(b2Vec2(0.0f, -9.81f));
    world.SetAllowSleeping(false);
    b2PolygonShape ground;
    ground.SetAsBox(60.0f, 1.0f);
    b2Body *floor = add(world, b2_staticBody, 0.0f, -1.0f, ground);
    std::vector<b2Body *> bodies;
    add_pyramid(world, bodies, 10);
    add_chain(world, bodies, floor, 12);
    b2CircleShape ball;
    ball.m_radius = 0.4f;
    b2Body *bullet = add(world, b2_dynamicBody, -30.0f, 3.0f, ball);
    bullet->SetBullet(true);
    bullet->SetLinearVelocity(b2Vec2(80.0f, 2.0f));
    bodies.push_back(bullet);
    for (int step = 0; step < std::atoi(argv[1]); step++) {
        world.Step(1.0f / 60.0f, 8, 3);
    }
    for (const b2Body *body : bodies) {
        std::printf("%.9g %.9g %.9g\n", body->GetPosition().x, body->GetPosition().y, body->GetAngle());
    }
}
