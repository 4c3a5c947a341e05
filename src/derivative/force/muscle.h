// Slopes of the gain and the bias of a muscle.
#ifndef SINEW_DERIVATIVE_FORCE_MUSCLE_H
#define SINEW_DERIVATIVE_FORCE_MUSCLE_H

/// Derivatives of gain and bias; the curves are parabolas in pieces, at their ends the derivative is that of
/// the piece that sn_muscleGain takes there.
typedef struct snMuscleSlopes {
    double gain_length, gain_velocity;
    double gain_velocity_length, gain_velocity_velocity; ///< of gain_velocity
    double bias_length;                                  ///< of sn_muscleBias with the same parameters
} snMuscleSlopes;

/// Arguments as for sn_muscleGain.
snMuscleSlopes sn_muscleSlopes(double length, double velocity, const double lengthrange[2], double acc0,
                               const double prm[9]);

/// Derivatives of sn_muscleDynamics; at ctrl 0 and 1 that from within.
void sn_muscleDynamicsSlopes(double ctrl, double act, const double prm[3], double* by_ctrl, double* by_act);

#endif
