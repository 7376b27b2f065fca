// Random playouts of an OpenSpiel game in C++, as its examples/benchmark_game.cc plays them.
//
// tests/peers/openspiel_speed.py compiles this file and loads it after the module pyspiel, so the games are those of
// the wheel.

#include <ctime>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "open_spiel/spiel.h"

using open_spiel::Action;
using open_spiel::State;

// Plays `deals` deals from the first chance move on, and returns the seconds of processor time.
//
// With `tensors` the player who decides gets the tensor of their view first, as in benchmark_game.cc. After the deal
// the `forced` actions are made, and then random ones. `mean` becomes the mean return of the first player.
extern "C" double play(const char* name, int deals, int tensors, int seed, const int* forced, int forced_count,
                       double* mean) {
  auto game = open_spiel::LoadGame(name);
  std::mt19937 rng(seed);
  const bool information = tensors && game->GetType().provides_information_state_tensor;
  const bool observation = !information && tensors && game->GetType().provides_observation_tensor;
  std::vector<float> tensor;
  if (information) tensor.resize(game->InformationStateTensorSize());
  if (observation) tensor.resize(game->ObservationTensorSize());
  double sum = 0;
  const std::clock_t start = std::clock();
  for (int deal = 0; deal < deals; ++deal) {
    std::unique_ptr<State> state = game->NewInitialState();
    int made = 0;
    while (!state->IsTerminal()) {
      if (state->IsChanceNode()) {
        std::vector<std::pair<Action, double>> outcomes = state->ChanceOutcomes();
        state->ApplyAction(open_spiel::SampleAction(outcomes, rng).first);
        continue;
      }
      if (information) state->InformationStateTensor(state->CurrentPlayer(), absl::MakeSpan(tensor));
      if (observation) state->ObservationTensor(state->CurrentPlayer(), absl::MakeSpan(tensor));
      std::vector<Action> actions = state->LegalActions();
      if (made < forced_count) {
        state->ApplyAction(forced[made++]);
        continue;
      }
      std::uniform_int_distribution<int> choice(0, actions.size() - 1);
      state->ApplyAction(actions[choice(rng)]);
    }
    sum += state->Returns()[0];
  }
  *mean = sum / deals;
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}
