-- Floating-point work for the interpreter: orbits, a matrix norm, series, text to number and back, the mathematical library.

local function nbody(steps)
  local suns = {
    {x = 0, y = 0, vx = 0, vy = 0, m = 39.47841760435743},
    {x = 4.84143144246472, y = -1.16032004402743, vx = 0.606326392995832, vy = 2.81198684491626, m = 0.0376936749},
    {x = 8.34336671824458, y = 4.1247985641243, vx = -1.01077434617879, vy = 1.82566237123041, m = 0.0112863261},
  }
  for _ = 1, steps do
    for i = 1, #suns do
      local a = suns[i]
      for j = i + 1, #suns do
        local b = suns[j]
        local dx, dy = a.x - b.x, a.y - b.y
        local pull = 0.01 / (dx * dx + dy * dy) ^ 1.5
        a.vx, a.vy = a.vx - dx * b.m * pull, a.vy - dy * b.m * pull
        b.vx, b.vy = b.vx + dx * a.m * pull, b.vy + dy * a.m * pull
      end
    end
    for _, body in ipairs(suns) do
      body.x, body.y = body.x + 0.01 * body.vx, body.y + 0.01 * body.vy
    end
  end
  for _, body in ipairs(suns) do
    print(string.format("%.17g %.17g", body.x, body.y))
  end
end

local function spectral_norm(n)
  local function entry(i, j) return 1 / ((i + j) * (i + j + 1) // 2 + i + 1) end
  local u, v = {}, {}
  for i = 1, n do u[i] = 1.0 end
  for _ = 1, 10 do
    for i = 1, n do
      local sum = 0.0
      for j = 1, n do sum = sum + entry(i - 1, j - 1) * u[j] end
      v[i] = sum
    end
    u, v = v, u
  end
  local uv, vv = 0.0, 0.0
  for i = 1, n do uv, vv = uv + u[i] * v[i], vv + v[i] * v[i] end
  print(string.format("%.17g", math.sqrt(uv / vv)))
end

local function library()
  for i = 1, 40 do
    local x = i / 7
    print(string.format("%.17g %.17g %.17g %.17g", math.sin(x), math.exp(x), math.log(x), math.log(x, 10)))
    print(x % 0.3, -x // 0.3, math.fmod(-x, 0.3), x ^ -2.5, math.atan(x, -1), math.tointeger(x * 7))
    print(math.floor(x * 1.5), math.ceil(x), math.ult(i, 7), string.format("%a", x), tostring(x))
  end
  print(0.1 + 0.2 == 0.3, 1e15, 1e16, 2 ^ 53 == 2 ^ 53 + 1, 1 / 0, -1 / 0, 3 | 0, 7.0 // 2)
  print(tonumber("0x1.8p3"), tonumber("1e-7"), tonumber("0.1") * 3, "10" + 5, "0x10" * 2.5)
end

-- The one wrong result that is known: 1 - cos(x) for small x has no correct digit left.
local function known_loss()
  local x = 1e-8
  print(string.format("%.17g", (1 - math.cos(x)) / (x * x)))
end

-- Errors unwind through C frames, and coroutines have stacks of their own.
local function control()
  local function worker(x)
    while true do x = x + coroutine.yield(x * 0.1) end
  end
  local co = coroutine.wrap(worker)
  local sum = co(0.7)
  for i = 1, 1000 do sum = sum + co(i / 3) end
  print(string.format("%.17g", sum))
  local ok, what = pcall(function() return math.sqrt(2) + nil end)
  print(ok, what ~= nil)
  local list = {}
  for i = 1, 2000 do list[i] = math.sin(i * 1.7) end
  table.sort(list)
  print(string.format("%.17g %.17g", list[1], list[2000]), #string.pack("d", list[3]), string.unpack("d", string.pack("d", 0.1)))
end

nbody(tonumber(arg[1]))
spectral_norm(100)
library()
known_loss()
control()
