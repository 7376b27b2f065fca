//! `overtrick league`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Ended;
use super::checkpoints::save;
use super::earlier::{FolderState, ResumePoint};
use super::help;
use super::host::{read_config, register, set_progress, workers};
use super::isolation::SandboxArgs;
use super::job::{CourseArgs, Job, Ready, place_of_results};
use super::last_words::last_words;
use super::progress::Meter;
use super::run::own_folder;
use crate::league::{LeagueArena, LeagueControl, LeaguePlan, LeagueTables, Leaguing};
use crate::report::{LEAGUE_FILES, Screen, league_files, league_progress, league_text, output_names};
use crate::toml_source::InputError;
use crate::tune::NoResult;

/// The minimum time between two checkpoints.
const EVERY: Duration = Duration::from_secs(2);
/// The form of a line of progress. There is no bar, since it is not known which round answers the question.
const PROGRESS: &str = "{human_pos} games played, {rate}/s; {msg}";

/// Find the best of many bots, dropping those that are behind.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("The best five of thirty settings of a bot", "league configs/league-rule-based.toml"),
    ("Go on after Ctrl-C", "league configs/league-rule-based.toml --resume"),
]))]
pub struct Args {
    /// The league config file, or `-` for standard input.
    config: PathBuf,
    #[command(flatten)]
    course: CourseArgs,
    /// Write the results to this folder.
    ///
    /// The default is `out` of the config, or else results/NAME.
    #[arg(long, help_heading = help::RESULTS, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print nothing but errors.
    #[arg(long, help_heading = help::OUTPUT)]
    quiet: bool,
    #[command(flatten)]
    pub(super) sandbox: SandboxArgs,
}

pub fn league(args: &Args) -> Result<Ended, InputError> {
    let mut plan = LeaguePlan::resolve(&read_config(&args.config)?, &register())?;
    let out = args.out.clone().unwrap_or_else(|| own_folder(&plan.out, &plan.name, None));
    plan.hide(&out);
    let control = Arc::new(LeagueControl::default());
    let places: Vec<_> =
        (0..plan.bots.len()).map(|bot| (plan.bots[bot].name.clone(), plan.place_of_bot(bot))).collect();
    let blame = |bot: &str, problem| {
        let place = places.iter().find(|(name, _)| name == bot).map(|(_, place)| place);
        match (read_config(&args.config), place) {
            (Ok(source), Some(place)) => source.error(place, problem),
            _ => InputError::file(&args.config, problem),
        }
    };
    let job = Job {
        name: "league",
        out: Some(&out),
        files: LEAGUE_FILES.to_vec(),
        blame: &blame,
        stop: &control.stop,
        threads: args.course.threads,
        keep_going: None,
        quiet: args.quiet,
        resume: args.course.resume,
        force: args.course.force,
    };
    let claimed = job.claim(&mut plan.bots)?;
    let (earlier, looked) =
        claimed.look(|folder| Ok(FolderState::of_plan(folder, &LEAGUE_FILES, &plan, plan.to_toml())))?;
    let mut leaguing = match earlier {
        ResumePoint::Finished => return looked.leave(|_| Ok(())),
        ResumePoint::Begun(begun) => begun,
        ResumePoint::Nothing => Leaguing::new(&plan),
    };
    let Some(ready) = looked.prepare(&plan.bots, std::slice::from_ref(&plan.variant))? else {
        return Ok(Ended::Interrupted);
    };
    match play(&plan, &mut leaguing, &control, &ready, args.quiet) {
        Ok(()) => {}
        Err(NoResult::Failed(error)) => return Err(error),
        Err(NoResult::Stopped) => {
            let spent = leaguing.league.spent();
            return Ok(ready.interrupt(&format!("in round {}", spent.rounds + 1), spent.games > 0));
        }
    }
    let tables = LeagueTables::new(&plan, &leaguing);
    if let Some(folder) = &ready.folder {
        folder.write(&league_files(&plan, &leaguing, &tables))?;
    }
    let is_faulty = leaguing.all_faults() > 0;
    if let Some(words) = last_words(&plan.bots).filter(|_| is_faulty && !args.quiet) {
        tell!("{words}");
    }
    let text = league_text(&plan, &leaguing, &tables, Screen::current());
    let text = format!("{text}{}\n", place_of_results(&out, None));
    Ok(ready.finish(&text, &output_names(), is_faulty))
}

/// Plays the rounds that are left, until the question is answered or the games are spent.
///
/// Rounds end with a checkpoint, unless the last one is fresh.
fn play(
    plan: &LeaguePlan,
    leaguing: &mut Leaguing,
    control: &Arc<LeagueControl>,
    ready: &Ready<'_>,
    is_quiet: bool,
) -> Result<(), NoResult> {
    let config = plan.to_toml();
    let mut arena = LeagueArena::new(plan, &ready.threads, control);
    if let Some(workers) = workers() {
        arena = arena.with_workers(workers);
    }
    let mut meter = Meter::new(PROGRESS, leaguing.league.spent().games, plan.games.unwrap_or(0), is_quiet);
    let mut saved = None::<Instant>;
    let mut is_on = true;
    while is_on {
        meter.say(league_progress(plan, leaguing));
        let stepped = leaguing.step(&arena);
        let games = leaguing.league.spent().games;
        if let Some(folder) = &ready.folder
            && games > 0
            && (stepped.is_err() || saved.is_none_or(|saved| saved.elapsed() > EVERY))
        {
            save(leaguing, &config, folder.path())?;
            saved = Some(Instant::now());
        }
        is_on = stepped?;
        set_progress(games, plan.games.unwrap_or(0));
        meter.show(games, plan.games.unwrap_or(games), |_| {
            format!("{}; {games} games played", league_progress(plan, leaguing))
        });
    }
    Ok(())
}
