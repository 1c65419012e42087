# Usage: peer.rb DATA.json SECONDS TEMPLATE…; prints what LiquidBenchmark prints.
require "json"
require "liquid"

data = JSON.parse(File.read(ARGV[0]))
seconds = ARGV[1].to_f

def microseconds(seconds)
  clock = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) }
  start = clock.call
  calls = 0
  loop do
    20.times { yield }
    calls += 20
    break if clock.call - start >= seconds
  end
  (clock.call - start) * 1e6 / calls
end

ARGV.drop(2).each do |path|
  source = File.read(path)
  template = Liquid::Template.parse(source)
  words = template.render!(data).split.join(" ")
  compile = microseconds(seconds) { Liquid::Template.parse(source) }
  render = microseconds(seconds) { template.render!(data) }
  digest = words.bytes.reduce(5381) { |sum, byte| (sum * 33 + byte) & 0xFFFFFFFF }
  puts JSON.generate({ compile: compile, render: render, digest: digest })
end
